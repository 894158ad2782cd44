/* A thread pool whose tasks are all one element of an array. */
#include <pthread.h>
#include <stdlib.h>

typedef struct {
	void (*run)(void *);
	void *arg;
} task_t;

typedef struct {
	pthread_mutex_t lock;
	pthread_cond_t notify;
	pthread_t *threads;
	task_t *queue;
	int nthreads, size, head, tail, count, shutdown;
} pool_t;

struct part {
	int lo, hi;
	long sum;
};

static int data[1000];
static double half[1000];
static struct part parts[10];

static void *
pool_thread(void *arg)
{
	pool_t *pool = arg;
	task_t task;

	for (;;) {
		pthread_mutex_lock(&pool->lock);
		while (pool->count == 0 && !pool->shutdown)
			pthread_cond_wait(&pool->notify, &pool->lock);
		if (pool->shutdown && pool->count == 0)
			break;
		task.run = pool->queue[pool->head].run;
		task.arg = pool->queue[pool->head].arg;
		pool->head = (pool->head + 1) % pool->size;
		pool->count--;
		pthread_mutex_unlock(&pool->lock);
		task.run(task.arg);
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

static pool_t *
pool_create(int n, int size)
{
	pool_t *pool = calloc(1, sizeof *pool);

	pool->nthreads = n;
	pool->size = size;
	pool->threads = malloc(sizeof(pthread_t) * n);
	pool->queue = malloc(sizeof(task_t) * size);
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->notify, NULL);
	for (int i = 0; i < n; i++)
		pthread_create(&pool->threads[i], NULL, pool_thread, pool);
	return pool;
}

static int
pool_add(pool_t *pool, void (*run)(void *), void *arg)
{
	int err = 0;

	pthread_mutex_lock(&pool->lock);
	if (pool->count == pool->size) {
		err = -1;
	} else {
		pool->queue[pool->tail].run = run;
		pool->queue[pool->tail].arg = arg;
		pool->tail = (pool->tail + 1) % pool->size;
		pool->count++;
		pthread_cond_signal(&pool->notify);
	}
	pthread_mutex_unlock(&pool->lock);
	return err;
}

static void
pool_destroy(pool_t *pool)
{
	pthread_mutex_lock(&pool->lock);
	pool->shutdown = 1;
	pthread_cond_broadcast(&pool->notify);
	pthread_mutex_unlock(&pool->lock);
	for (int i = 0; i < pool->nthreads; i++)
		pthread_join(pool->threads[i], NULL);
	free(pool->threads);
	free(pool->queue); // NORACE
	free(pool);        // NORACE
}

static void
run(void *arg)
{
	struct part *p = arg;
	long s = 0;

	for (int i = p->lo; i < p->hi; i++) {
		s += data[i];
		half[i] = data[i] * 0.5;
	}
	p->sum = s; // RACE
}

int
main(void)
{
	pool_t *pool;
	long sum = 0;

	for (int i = 0; i < 1000; i++)
		data[i] = i; // NORACE
	pool = pool_create(4, 64);
	for (int i = 0; i < 10; i++) {
		parts[i].lo = i * 100;       
		parts[i].hi = (i + 1) * 100;
		pool_add(pool, run, &parts[0]);
	}
	pool_destroy(pool);
	for (int i = 0; i < 10; i++)
		sum += parts[i].sum; // NORACE
	return sum != 499500;
}
