/* A struct is copied with its lock: each copy guards nothing but itself. */
#include <pthread.h>

struct shared {
	pthread_mutex_t lock;
	int *total;
};

static int total;
static struct shared shared = {PTHREAD_MUTEX_INITIALIZER, &total};

static void
add(struct shared s)
{
	pthread_mutex_lock(&s.lock);
	*s.total += 1; // RACE
	pthread_mutex_unlock(&s.lock);
}

static void *
worker(void *arg)
{
	add(shared);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return total; // NORACE
}
