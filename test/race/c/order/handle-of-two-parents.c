/* Two parents keep their child's handle in one global: each may join the
 * other's child. */
#include <pthread.h>

static int g;
static pthread_t h;

static void *
child(void *arg)
{
	g = 2; // RACE
	return arg;
}

static void *
parent(void *arg)
{
	pthread_create(&h, NULL, child, NULL);
	pthread_join(h, NULL);
	g = 1; // RACE
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, parent, NULL);
	pthread_create(&b, NULL, parent, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return g;
}
