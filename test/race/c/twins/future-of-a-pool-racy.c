/* A pool with futures whose value is polled without a lock. */
#include <pthread.h>
#include <stdlib.h>

struct future {
	int done, arg, value;
	struct future *next;
};
static struct future *queue;
static pthread_mutex_t qm = PTHREAD_MUTEX_INITIALIZER;

static struct future *
submit(int arg)
{
	struct future *f = calloc(1, sizeof *f);
	f->arg = arg; // NORACE
	pthread_mutex_lock(&qm);
	f->next = queue; // NORACE
	queue = f;       // NORACE
	pthread_mutex_unlock(&qm);
	return f;
}

static int
get(struct future *f)
{
	while (!f->done) // RACE
		;
	return f->value; // RACE possible
}

static void *
worker(void *a)
{
	for (;;) {
		struct future *f;
		pthread_mutex_lock(&qm);
		f = queue; // NORACE
		if (f)
			queue = f->next; // NORACE
		pthread_mutex_unlock(&qm);
		if (!f)
			continue;
		f->value = f->arg * f->arg; // RACE possible
		f->done = 1;                // RACE
	}
}

int
main(void)
{
	pthread_t t[2];
	struct future *f;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	f = submit(3);
	return get(f);
}
