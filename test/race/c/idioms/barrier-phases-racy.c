/* Both threads write the total in the phase before the barrier. */
#include <pthread.h>

static pthread_barrier_t barrier;
static int part_a, part_b, total;

static void *
left(void *arg)
{
	part_a = 1; // NORACE
	total += 1; // RACE
	pthread_barrier_wait(&barrier);
	return arg;
}

static void *
right(void *arg)
{
	part_b = 2; // NORACE
	total += 2; // RACE
	pthread_barrier_wait(&barrier);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&a, NULL, left, NULL);
	pthread_create(&b, NULL, right, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	total += part_a + part_b; // NORACE
	return total;
}
