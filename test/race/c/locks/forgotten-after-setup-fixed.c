/* Queues are set up by the main thread, without their locks, just before it starts the workers, when others run already.
 * Objects without a type, from one pool, are taken for one another.  Who takes from a queue holds its lock, too. */
#include <pthread.h>
#include <stdlib.h>

struct queue {
	long first, last;
	pthread_mutex_t mutex;
};

static void *pool[16];
static long ticks;

static void
set_up(struct queue *q)
{
	pthread_mutex_init(&q->mutex, 0);
	q->first = 0;
	q->last = 1; // NORACE-LIKELY
}

static void
push(struct queue *q)
{
	pthread_mutex_lock(&q->mutex);
	q->last++; // NORACE-LIKELY
	pthread_mutex_unlock(&q->mutex);
}

static void
pop(struct queue *q)
{
	pthread_mutex_lock(&q->mutex);
	if (q->first < q->last) // NORACE-LIKELY
		q->last = 0; // NORACE-LIKELY
	pthread_mutex_unlock(&q->mutex);
}

static void *
work(void *arg)
{
	pop(pool[(long)arg]);
	return 0;
}

static void *
tick(void *arg)
{
	ticks++;
	return arg;
}

static void
start(void *(*f)(void *), long i)
{
	pthread_t t;

	pthread_create(&t, 0, f, (void *)i);
}

static void
start_all(void)
{
	for (long i = 0; i < 4; i++)
		set_up(pool[i]);
	for (long i = 0; i < 4; i++)
		start(work, i);
}

int
main(void)
{
	pool[0] = calloc(1, 160);
	pool[1] = calloc(1, 192);
	pool[2] = malloc(224);
	pool[3] = malloc(256);
	start(tick, 0);
	start_all();
	for (long i = 0; i < 4; i++)
		push(pool[i]);
	return 0;
}
