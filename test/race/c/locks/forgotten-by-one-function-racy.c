/* Queues in memory without a type, which is taken for one another.  Who puts holds the
 * queue's lock, who takes has forgotten it: all that is held is held in one function. */
#include <pthread.h>
#include <stdlib.h>

struct task {
	struct task *next;
};
struct queue {
	long id;
	pthread_mutex_t mutex;
	struct task *first;
	long waiting;
};

static void *pool[16];

static void
put(struct queue *q, struct task *t)
{
	pthread_mutex_lock(&q->mutex);
	t->next = q->first;
	q->first = t;
	q->waiting++;
	pthread_mutex_unlock(&q->mutex);
}

static struct task *
take(struct queue *q)
{
	struct task *t;

	t = q->first; // RACE
	if (t) {
		q->first = t->next; // RACE
		q->waiting--;       // RACE
	}
	return t;
}

static void *
work(void *arg)
{
	free(take(pool[(long)arg]));
	return 0;
}

int
main(void)
{
	pthread_t t;

	pool[0] = calloc(1, 160);
	pool[1] = calloc(1, 192);
	pool[2] = malloc(224);
	pool[3] = malloc(256);
	for (long i = 0; i < 4; i++)
		pthread_create(&t, 0, work, (void *)i);
	for (long i = 0; i < 4; i++)
		put(pool[i], malloc(sizeof(struct task)));
	return 0;
}
