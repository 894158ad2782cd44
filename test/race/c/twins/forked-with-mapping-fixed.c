/* Parent and child count in memory that they share, under a process-shared mutex that lies there. */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct area {
	pthread_mutex_t m;
	int n;
};

int
main(void)
{
	struct area *s =
	    mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_t at;
	pid_t p;
	pthread_mutexattr_init(&at);
	pthread_mutexattr_setpshared(&at, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&s->m, &at);
	p = fork();
	if (p == 0) {
		pthread_mutex_lock(&s->m);
		s->n++; // NORACE
		pthread_mutex_unlock(&s->m);
		_exit(0);
	}
	pthread_mutex_lock(&s->m);
	s->n++; // NORACE
	pthread_mutex_unlock(&s->m);
	waitpid(p, NULL, 0);
	return 0;
}
