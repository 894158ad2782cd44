/* One name for the lock, but each thread has made its own. */
#include <pthread.h>
#include <stdlib.h>

struct part {
	pthread_mutex_t m;
};

static int g;

static void *
worker(void *arg)
{
	struct part *p = malloc(sizeof *p);

	pthread_mutex_init(&p->m, NULL);
	pthread_mutex_lock(&p->m);
	g++; // RACE
	pthread_mutex_unlock(&p->m);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
