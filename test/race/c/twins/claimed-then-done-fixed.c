/* One thread claims the work by compare-exchange; all wait until it is done. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;
static int result;
static void *
work(void *arg)
{
	int fresh = 0;
	if (atomic_compare_exchange_strong(&state, &fresh, 1)) {
		result = 42; // NORACE
		atomic_store(&state, 2);
	}
	while (atomic_load(&state) != 2)
		;
	return result ? arg : NULL; // NORACE
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
