/* Each call of run() starts workers on what it is given, and waits for them.  Two threads do so, each
 * in turn; but both work on one batch, the one with workers of its first call while the other is at its second. */
#include <pthread.h>
#include <stdlib.h>

enum { WORKERS = 16 };

struct batch {
	pthread_mutex_t in, out;
	int sum;
};

static struct batch all = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, 0};

struct work {
	void *(*step)(void *);
	struct batch *batch;
};

static void *
first(void *arg)
{
	struct batch *b = ((struct work *)arg)->batch;

	pthread_mutex_lock(&b->in);
	b->sum++; // RACE
	pthread_mutex_unlock(&b->in);
	return NULL;
}

static void *
second(void *arg)
{
	struct batch *b = ((struct work *)arg)->batch;

	pthread_mutex_lock(&b->out);
	b->sum *= 2; // RACE
	pthread_mutex_unlock(&b->out);
	return NULL;
}

static void
run(void *(*step)(void *), struct batch *b, int n)
{
	pthread_t *t = calloc((size_t)n, sizeof *t);
	struct work w = {step, b};

	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, step, &w);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	free(t);
}

static int
step(struct batch *b, int kind)
{
	if (kind == 0)
		return 0;
	run(first, b, WORKERS);
	run(second, b, WORKERS);
	return b->sum; // RACE
}

static void *
pipeline(void *arg)
{
	int total = 0;

	for (int k = 0; k < *(int *)arg; k++) {
		total += step(&all, k % 2);
	}
	return (void *)(long)total;
}

int
main(int argc, char **argv)
{
	pthread_t t[2];

	(void)argv;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, pipeline, &argc);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
