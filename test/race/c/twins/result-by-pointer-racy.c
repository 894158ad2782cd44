/* An atomic function says through a pointer whether it took the lock; its caller looks for the wrong answer. */
#include <pthread.h>

static int lock, total;
static void
__VERIFIER_atomic_take(int *at, int *took)
{
	*took = 0;
	if (*at == 0) {
		*at = 1;
		*took = 1;
	}
}
static void
__VERIFIER_atomic_give(int *at)
{
	*at = 0;
}
static void *
work(void *arg)
{
	int took = 0;
	do
		__VERIFIER_atomic_take(&lock, &took);
	while (took);
	total++; // RACE
	__VERIFIER_atomic_give(&lock);
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
