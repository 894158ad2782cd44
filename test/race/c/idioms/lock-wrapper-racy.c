/* enter() and leave() wrap a mutex, but one user forgets them. */
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
	depth++; // RACE
	leave();
	return arg;
}

static void *
pop(void *arg)
{
	if (depth > 0) // RACE
		depth--; // RACE
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
