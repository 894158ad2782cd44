/* A queue of workers is made for each phase and torn down at its end: one function starts as many
 * as it notes in the queue, another waits for as many and may fail, wrappers call both.  What main
 * does between the phases meets no worker. */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
	struct item *next;
	void (*function)(int index);
	int index;
};

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t wakeup;
	struct item *next_item, *last_item;
	pthread_t *threads;
	unsigned int thread_count;
	bool terminate;
};

static int *map; /* made anew for each phase */
static int map_size;

static void *
queue_thread(void *arg)
{
	struct queue *q = arg;

	for (;;) {
		struct item *it;
		pthread_mutex_lock(&q->lock);
		while (!q->next_item && !q->terminate)
			pthread_cond_wait(&q->wakeup, &q->lock);
		if (!q->next_item) {
			pthread_mutex_unlock(&q->lock);
			break;
		}
		it = q->next_item;
		q->next_item = it->next;
		pthread_mutex_unlock(&q->lock);
		it->function(it->index);
		free(it);
	}
	return NULL;
}

static int
queue_terminate(struct queue *q)
{
	unsigned int i;
	int ret;

	pthread_mutex_lock(&q->lock);
	q->terminate = true;
	pthread_mutex_unlock(&q->lock);
	ret = -pthread_cond_broadcast(&q->wakeup);
	if (ret)
		return ret;
	for (i = 0; i < q->thread_count; i++) {
		ret = -pthread_join(q->threads[i], NULL);
		if (ret)
			return ret;
	}
	return 0;
}

static void
queue_free(struct queue *q)
{
	free(q->threads);
	pthread_mutex_destroy(&q->lock);
}

static int
queue_start(struct queue *q, unsigned int workers)
{
	unsigned int i;
	int err = 0;

	memset(q, 0, sizeof *q);
	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->wakeup, NULL);
	q->thread_count = workers;
	q->threads = malloc(workers * sizeof(pthread_t));
	if (!q->threads)
		return -errno;
	for (i = 0; i < workers; i++) {
		err = -pthread_create(&q->threads[i], NULL, queue_thread, q);
		if (err)
			break;
	}
	return err;
}

static void
create_queue(struct queue *q, unsigned int workers)
{
	if (queue_start(q, workers)) {
		fprintf(stderr, "cannot create\n");
		exit(1);
	}
}

static void
destroy_queue(struct queue *q)
{
	if (queue_terminate(q)) {
		fprintf(stderr, "cannot terminate\n");
		exit(1);
	}
	queue_free(q);
}

static void
queue_work(struct queue *q, void (*function)(int), int index)
{
	struct item *it = malloc(sizeof *it);

	if (!it)
		exit(1);
	it->function = function;
	it->index = index;
	it->next = NULL;
	pthread_mutex_lock(&q->lock);
	if (!q->next_item) {
		pthread_cond_signal(&q->wakeup);
		q->next_item = it;
	} else {
		q->last_item->next = it;
	}
	q->last_item = it;
	pthread_mutex_unlock(&q->lock);
}

static void
scan(int index)
{
	if (index < map_size)
		printf("%d\n", map[index]);
}

static void
check(int index)
{
	if (index < map_size && map[index])
		printf("not clean: %d\n", index);
}

static void
phase1(int n, unsigned int workers)
{
	struct queue q;

	create_queue(&q, workers);
	for (int i = 0; i < n; i++)
		queue_work(&q, scan, i);
	destroy_queue(&q);
	printf("phase 1 done of %d\n", map_size);
}

static void
phase2(int n, unsigned int workers)
{
	struct queue q;

	create_queue(&q, workers);
	for (int i = 0; i < n; i++)
		queue_work(&q, check, i);
	destroy_queue(&q);
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 10;

	map_size = n;
	map = calloc(n, sizeof *map);
	phase1(n, 4);
	free(map); // NORACE-LIKELY
	map_size = n / 2; // NORACE-LIKELY
	map = calloc(n, sizeof *map); // NORACE-LIKELY
	phase2(n, 4);
	map_size = 0; // NORACE-LIKELY
	free(map);
	return 0;
}
