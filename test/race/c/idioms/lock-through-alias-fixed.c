/* One lock under two names: a pointer copied into a struct, and the variable itself. */
#include <pthread.h>

struct view {
	pthread_mutex_t *guard;
	int *value;
};

static pthread_mutex_t a_lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void
add(struct view v, int n)
{
	pthread_mutex_lock(v.guard);
	*v.value += n; // NORACE
	pthread_mutex_unlock(v.guard);
}

static void *
worker(void *arg)
{
	struct view v = {&a_lock, &shared};
	struct view *p = &v, w = *p;

	add(w, 1);
	return arg;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	pthread_mutex_lock(&a_lock);
	shared--; // NORACE
	pthread_mutex_unlock(&a_lock);
	pthread_join(t, NULL);
	return 0;
}
