/* Each queue of an array has its lock; its items are within it. */
#include <pthread.h>

enum { QUEUES = 4 };

struct queue {
	pthread_mutex_t lock;
	int item[64], first, last;
};
static struct queue all[QUEUES];

static int
take_first(struct queue *q)
{
	int item = 0;

	pthread_mutex_lock(&q->lock);
	if (q->first < q->last)
		item = q->item[q->first++]; // NORACE
	pthread_mutex_unlock(&q->lock);
	return item;
}

static void
add(struct queue *q, int item)
{
	pthread_mutex_lock(&q->lock);
	if (q->last < 64)
		q->item[q->last++] = item; // NORACE
	pthread_mutex_unlock(&q->lock);
}

static void *
worker(void *arg)
{
	int me = (int)(long)arg;

	for (int i = 0; i < 50; i++) {
		add(&all[me], i);
		add(&all[i % QUEUES], take_first(&all[(me + i) % QUEUES]));
	}
	return NULL;
}

int
main(void)
{
	pthread_t t[QUEUES];

	for (int i = 0; i < QUEUES; i++)
		pthread_mutex_init(&all[i].lock, NULL);
	for (long i = 0; i < QUEUES; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < QUEUES; i++)
		pthread_join(t[i], NULL);
	return 0;
}
