/* Rounds by a generation number that is moved on outside the lock. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int generation;

static void *
leader(void *arg)
{
	generation++; // RACE
	pthread_cond_broadcast(&c);
	return arg;
}

static void *
follower(void *arg)
{
	pthread_mutex_lock(&m);
	while (generation == 0) // RACE
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return arg;
}

int
main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, leader, NULL);
	pthread_create(&b, NULL, follower, NULL);
	pthread_create(&c, NULL, follower, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
