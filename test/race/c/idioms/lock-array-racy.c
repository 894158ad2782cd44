/* Striped locks: one user takes the stripe beside the one it needs. */
#include <pthread.h>

#define STRIPES 4

static pthread_mutex_t stripe[STRIPES] = {
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
};
static int slot[STRIPES];

static void *
setter(void *arg)
{
	pthread_mutex_lock(&stripe[2]);
	slot[2] = 1; // RACE
	pthread_mutex_unlock(&stripe[2]);
	return arg;
}

static void *
getter(void *arg)
{
	pthread_mutex_t *m = &stripe[3];

	pthread_mutex_lock(m);
	if (slot[2]) // RACE
		arg = NULL;
	pthread_mutex_unlock(m);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, setter, NULL);
	pthread_create(&b, NULL, getter, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
