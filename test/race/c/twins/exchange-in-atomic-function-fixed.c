/* A lock by a compare-and-swap that is atomic by its name, and says by its result whether it took place. */
#include <pthread.h>

static int lock, total;
static int
__VERIFIER_atomic_swap(int *at, int from, int to)
{
	if (*at != from)
		return 0;
	*at = to;
	return 1;
}
static void *
work(void *arg)
{
	while (!__VERIFIER_atomic_swap(&lock, 0, 1))
		;
	total++; // NORACE
	__VERIFIER_atomic_swap(&lock, 1, 0);
	return arg;
}
int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
