/* A sibling joins the thread before it touches the same data. */
#include <pthread.h>

static int g;
static pthread_t hx;

static void *
x(void *arg)
{
	g = 2; // NORACE
	return arg;
}

static void *
y(void *arg)
{
	pthread_join(hx, NULL);
	g = 1; // NORACE
	return arg;
}

int
main(void)
{
	pthread_t hy;

	pthread_create(&hx, NULL, x, NULL);
	pthread_create(&hy, NULL, y, NULL);
	pthread_join(hy, NULL);
	return g; // NORACE
}
