/* A number is made once, behind an atomic flag and a lock. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int made;
static int number;
static int
get(void)
{
	if (!made) { // NORACE
		pthread_mutex_lock(&m);
		if (!made) {
			number = 42; // NORACE
			made = 1;    // NORACE
		}
		pthread_mutex_unlock(&m);
	}
	return number; // NORACE
}
static void *
work(void *arg)
{
	return get() ? arg : NULL;
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
