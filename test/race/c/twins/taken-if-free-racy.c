/* Who finds the flag taken does the work. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int total;
static void *
work(void *arg)
{
	if (atomic_flag_test_and_set(&taken)) {
		total++; // RACE
		atomic_flag_clear(&taken);
	}
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
