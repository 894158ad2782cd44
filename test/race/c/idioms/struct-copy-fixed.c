/* A struct is copied as a whole under the lock of its fields. */
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

	pthread_mutex_lock(&lock);
	s = now; // NORACE
	pthread_mutex_unlock(&lock);
	return s;
}

static void *
count(void *arg)
{
	pthread_mutex_lock(&lock);
	now.errors[3]++; // NORACE
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
