/* enter() and leave() wrap a mutex, and both users call them. */
#include <pthread.h>

static pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;
static int depth;

static void
enter(void)
{
	pthread_mutex_lock(&big);
}

static void
leave(void)
{
	pthread_mutex_unlock(&big);
}

static void *
push(void *arg)
{
	enter();
	depth++; // NORACE
	leave();
	return arg;
}

static void *
pop(void *arg)
{
	enter();
	if (depth > 0) // NORACE
		depth--; // NORACE
	leave();
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, push, NULL);
	pthread_create(&b, NULL, pop, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return depth; // NORACE
}
