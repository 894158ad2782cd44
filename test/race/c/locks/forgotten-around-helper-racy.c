/* Helpers work on a store without a lock: one for each worker's own, and behind the lock for that of its queue, which
 * others fill.  Objects without a type, from one pool, are taken for one another.  One caller forgot the queue's. */
#include <pthread.h>
#include <stdlib.h>

struct store {
	long used, total;
	pthread_mutex_t mutex;
};

struct queue {
	long length;
	struct store *store;
};

struct worker {
	long id;
	struct store *own;
	struct queue *queue;
};

static void *pool[32];

static void
get(struct store *s)
{
	s->used++; // RACE
	if (s->used > s->total)
		s->total = s->used;
}

static void
put(struct store *s)
{
	s->used--; // RACE
}

static void
get_locked(struct store *s)
{
	get(s);
}

static void
put_locked(struct store *s)
{
	pthread_mutex_lock(&s->mutex);
	put(s);
	pthread_mutex_unlock(&s->mutex);
}

static void
push(struct queue *q)
{
	get_locked(q->store);
}

static void
pop(struct queue *q)
{
	put_locked(q->store);
}

static void *
work(void *arg)
{
	struct worker *w = pool[(long)arg];

	get(w->own);
	put(w->own);
	pop(w->queue);
	return 0;
}

static void
make(long i)
{
	struct worker *w = pool[i];

	w->own = pool[8 + i];
	w->queue = pool[16 + i];
	w->queue->store = pool[24 + i];
}

int
main(void)
{
	pthread_t t;

	for (long i = 0; i < 32; i += 4) {
		pool[i] = calloc(1, 160);
		pool[i + 1] = calloc(1, 192);
		pool[i + 2] = malloc(224);
		pool[i + 3] = malloc(256);
	}
	for (long i = 0; i < 4; i++)
		make(i);
	for (long i = 0; i < 4; i++)
		pthread_create(&t, 0, work, (void *)i);
	for (long i = 0; i < 4; i++) {
		struct worker *w = pool[i];

		push(w->queue);
	}
	return 0;
}
