/* A struct is copied as a whole while a field of it is written. */
#include <pthread.h>

struct stats {
	long in, out, errors[6];
};

static struct stats now;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct stats
snapshot(void)
{
	struct stats s;

	s = now; // RACE
	return s;
}

static void *
count(void *arg)
{
	pthread_mutex_lock(&lock);
	now.errors[3]++; // RACE
	pthread_mutex_unlock(&lock);
	return arg;
}

int
main(void)
{
	pthread_t t;
	struct stats s;

	pthread_create(&t, NULL, count, NULL);
	s = snapshot();
	pthread_join(t, NULL);
	return s.out == 0; // NORACE
}
