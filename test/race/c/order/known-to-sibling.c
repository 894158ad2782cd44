/* A sibling knows the handle of the other thread, but does not wait for it. */
#include <pthread.h>

static int g;
static pthread_t hx;

static void *
x(void *arg)
{
	g = 2; // RACE
	return arg;
}

static void *
y(void *arg)
{
	if (pthread_equal(hx, pthread_self()))
		return NULL;
	g = 1; // RACE
	return arg;
}

int
main(void)
{
	pthread_t hy;

	pthread_create(&hx, NULL, x, NULL);
	pthread_create(&hy, NULL, y, NULL);
	pthread_join(hy, NULL);
	pthread_join(hx, NULL);
	return g; // NORACE
}
