/* They meet once a round, but not before the cells change again. */
#include <pthread.h>

enum { THREADS = 4 };

struct barrier {
	pthread_mutex_t lock;
	pthread_cond_t turned;
	int size, count, turn;
};
static struct barrier all = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, THREADS, 0, 0};
static double cell[THREADS], next[THREADS];

static void
meet(struct barrier *b)
{
	int turn;

	pthread_mutex_lock(&b->lock);
	turn = b->turn;
	if (++b->count == b->size) {
		b->count = 0;
		b->turn++;
		pthread_cond_broadcast(&b->turned);
	} else {
		while (turn == b->turn)
			pthread_cond_wait(&b->turned, &b->lock);
	}
	pthread_mutex_unlock(&b->lock);
}

static void *
worker(void *arg)
{
	long id = (long)arg;

	for (int round = 0; round < 10; round++) {
		cell[id] = round; // RACE
		meet(&all);
		next[id] = cell[(id + 1) % THREADS];
	}
	return NULL;
}

int
main(void)
{
	pthread_t t[THREADS];

	for (long i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return (int)next[0];
}
