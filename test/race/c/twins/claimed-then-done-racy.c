/* One thread claims the work by compare-exchange; the others go on at once. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;
static int result;
static void *
work(void *arg)
{
	int fresh = 0;
	if (atomic_compare_exchange_strong(&state, &fresh, 1)) {
		result = 42; // RACE
		atomic_store(&state, 2);
	}
	while (atomic_load(&state) == 0)
		;
	return result ? arg : NULL; // RACE
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
