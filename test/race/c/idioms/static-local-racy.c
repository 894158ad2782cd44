/* A static local hands out numbers; it is shared by all callers. */
#include <pthread.h>

static int
next_id(void)
{
	static int id;

	return ++id; // RACE
}

static void *
worker(void *arg)
{
	return next_id() ? arg : NULL;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
