/* An arena's pointer is bumped without a lock: two threads may get one block. */
#include <pthread.h>
#include <stddef.h>

static char pool[4096];
static size_t used;

static void *
arena(size_t n)
{
	void *p = pool + used; // RACE
	used += n;             // RACE
	return p;
}

static void *
w(void *a)
{
	int *x = arena(16);
	x[0] = 1; // RACE possible
	return x;
}

int
main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, w, NULL);
	pthread_create(&b, NULL, w, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
