/* A thread waits for the main thread, but not for another that the main thread has started. */
#include <pthread.h>

static pthread_t first;
static int state, count;

static void *
add(void *arg)
{
	count++; // RACE
	return arg;
}

static void *
go_on(void *arg)
{
	state++; // RACE
	pthread_join(first, NULL);
	count++; // RACE
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	first = pthread_self();
	pthread_create(&a, NULL, go_on, NULL);
	pthread_create(&b, NULL, add, NULL);
	state = 1; // RACE
	pthread_exit(NULL);
}
