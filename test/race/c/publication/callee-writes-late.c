/* A callee publishes its fresh argument, then writes to it. */
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
	pthread_mutex_lock(&m);
	G = p;
	pthread_mutex_unlock(&m);
	p->x = 1; // RACE
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
	if (p && p->x) // RACE
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
