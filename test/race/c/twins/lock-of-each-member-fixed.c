/* A struct of locks, one for each statistic. */
#include <pthread.h>

struct stat {
	struct {
		pthread_mutex_t lock;
		long n;
	} reads, writes;
};
static struct stat s = {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};

static void *
r(void *a)
{
	pthread_mutex_lock(&s.reads.lock);
	s.reads.n++; // NORACE
	pthread_mutex_unlock(&s.reads.lock);
	return a;
}

static void *
w(void *a)
{
	pthread_mutex_lock(&s.writes.lock);
	s.writes.n++; // NORACE
	pthread_mutex_unlock(&s.writes.lock);
	pthread_mutex_lock(&s.reads.lock);
	s.reads.n--; // NORACE
	pthread_mutex_unlock(&s.reads.lock);
	return a;
}

int
main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, i & 1 ? r : w, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
