/* A thread goes on with what the main thread has left, and with what that has waited for. */
#include <pthread.h>

static pthread_t first;
static int state, count;

static void *
add(void *arg)
{
	count++; // NORACE
	return arg;
}

static void *
go_on(void *arg)
{
	pthread_join(first, NULL);
	state++; // NORACE
	count++; // NORACE
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	first = pthread_self();
	pthread_create(&a, NULL, go_on, NULL);
	pthread_create(&b, NULL, add, NULL);
	state = 1; // NORACE
	pthread_join(b, NULL);
	pthread_exit(NULL);
}
