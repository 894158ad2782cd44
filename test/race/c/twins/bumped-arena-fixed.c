/* An arena's pointer is bumped by an atomic add: each thread has its own block. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static char pool[4096];
static atomic_size_t used;

static void *
arena(size_t n)
{
	return pool + atomic_fetch_add(&used, n);
}

static void *
w(void *a)
{
	int *x = arena(16);
	x[0] = 1; // NORACE-LIKELY
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
