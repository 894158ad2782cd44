/* sem_timedwait is repeated until it has passed. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t s;
static int answer;

static void *
w(void *a)
{
	answer = 42; // NORACE
	sem_post(&s);
	return a;
}

int
main(void)
{
	pthread_t t;
	struct timespec ts = {1, 0};
	sem_init(&s, 0, 0);
	pthread_create(&t, NULL, w, NULL);
	while (sem_timedwait(&s, &ts) != 0)
		ts.tv_sec++;
	return answer; // NORACE
}
