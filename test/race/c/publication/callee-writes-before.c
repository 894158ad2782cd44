/* A callee writes to its fresh argument, then publishes it. */
#include <pthread.h>
#include <stdlib.h>

struct item {
	int x;
};

static struct item *G;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void
hand_over(struct item *p)
{
	p->x = 1; // NORACE
	pthread_mutex_lock(&m);
	G = p;
	pthread_mutex_unlock(&m);
}

static void *
writer(void *arg)
{
	hand_over(malloc(sizeof(struct item)));
	return arg;
}

static void *
reader(void *arg)
{
	struct item *p;

	pthread_mutex_lock(&m);
	p = G; // NORACE
	pthread_mutex_unlock(&m);
	if (p && p->x) // NORACE
		return p;
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
