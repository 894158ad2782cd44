/* The inner of two locks is given back first; the outer one is still held, whatever they are. */
#include <pthread.h>
#include <stdlib.h>

struct part {
	int n;
	pthread_mutex_t lock;
};
static struct part *all[8];

static void
visit(int k)
{
	struct part *a = all[k % 8], *b = all[(k + 1) % 8];

	pthread_mutex_lock(&a->lock);
	pthread_mutex_lock(&b->lock);
	b->n++; // NORACE
	pthread_mutex_unlock(&b->lock);
	a->n++; // NORACE
	pthread_mutex_unlock(&a->lock);
}

static void *
worker(void *arg)
{
	for (int i = 0; i < 10; i++)
		visit(i + (int)(long)arg);
	return NULL;
}

int
main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 8; i++) {
		all[i] = calloc(1, sizeof *all[i]);
		pthread_mutex_init(&all[i]->lock, NULL);
	}
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
