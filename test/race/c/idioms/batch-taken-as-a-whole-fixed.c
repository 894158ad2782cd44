/* A flusher takes all records of a list at once, under the lock, and writes and frees them outside of it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct record {
	struct record *next;
	int level;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some = PTHREAD_COND_INITIALIZER;
static struct record *first, *last;
static int stop;

static void *flusher(void *arg)
{
	for (;;) {
		struct record *batch, *r;
		pthread_mutex_lock(&m);
		while (!first && !stop)
			pthread_cond_wait(&some, &m);
		batch = first;
		first = last = 0;
		pthread_mutex_unlock(&m);
		if (!batch)
			return arg;
		while ((r = batch)) {
			batch = r->next; // NORACE-LIKELY
			printf("%d\n", r->level); // NORACE-LIKELY
			free(r); // NORACE-LIKELY
		}
	}
}

static void put(int level)
{
	struct record *r = malloc(sizeof *r);

	r->next = 0;
	r->level = level;
	pthread_mutex_lock(&m);
	if (last)
		last->next = r; // NORACE-LIKELY
	else
		first = r;
	last = r;
	pthread_cond_signal(&some);
	pthread_mutex_unlock(&m);
}

static void *module(void *arg)
{
	for (int i = 0; i < 100; i++)
		put(i);
	return arg;
}

int main(void)
{
	pthread_t f, t[2];

	pthread_create(&f, 0, flusher, 0);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, module, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	pthread_mutex_lock(&m);
	stop = 1;
	pthread_cond_signal(&some);
	pthread_mutex_unlock(&m);
	pthread_join(f, 0);
	return 0;
}
