/* One object, made by main, whose lock both threads take. */
#include <pthread.h>
#include <stdlib.h>

struct part {
	pthread_mutex_t m;
};

static int g;

static void *
worker(void *arg)
{
	struct part *p = arg;

	pthread_mutex_lock(&p->m);
	g++; // NORACE
	pthread_mutex_unlock(&p->m);
	return arg;
}

int
main(void)
{
	struct part *p = malloc(sizeof *p);
	pthread_t a, b;

	pthread_mutex_init(&p->m, NULL);
	pthread_create(&a, NULL, worker, p);
	pthread_create(&b, NULL, worker, p);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
