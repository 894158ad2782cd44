/* A number is made once, behind a plain flag and a lock. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int made;
static int number;
static int
get(void)
{
	if (!made) { // RACE
		pthread_mutex_lock(&m);
		if (!made) {
			number = 42; // RACE
			made = 1;    // RACE
		}
		pthread_mutex_unlock(&m);
	}
	return number; // RACE
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
