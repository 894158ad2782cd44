/* Tasks in a list, with a function and its argument: a number by which each has a result
 * of its own, or a pointer to that. */
#include <pthread.h>
#include <stdlib.h>

struct task {
	void (*run)(void *);
	void *arg;
	struct task *next;
};

struct request {
	int slot, in;
	int *out;
};

static struct task *first, *last;
static int stop;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int squares[32], cubes[32];

static void
submit(void (*run)(void *), void *arg)
{
	struct task *t = malloc(sizeof *t);

	t->run = run;
	t->arg = arg;
	t->next = NULL;
	pthread_mutex_lock(&m);
	if (last)
		last->next = t;
	else
		first = t;
	last = t;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
}

static struct task *
take(void)
{
	struct task *t;

	pthread_mutex_lock(&m);
	while (!first && !stop)
		pthread_cond_wait(&c, &m);
	t = first;
	if (t) {
		first = t->next;
		if (!first)
			last = NULL;
	}
	pthread_mutex_unlock(&m);
	return t;
}

static void *
loop(void *arg)
{
	struct task *t;

	while ((t = take())) {
		t->run(t->arg);
		free(t);
	}
	return NULL;
}

static void
square(void *arg)
{
	struct request *r = arg;

	squares[r->slot] = r->in * r->in; // NORACE-LIKELY
	free(r);
}

static void
cube(void *arg)
{
	struct request *r = arg;

	*r->out = r->in * r->in * r->in; // NORACE-LIKELY
	free(r);
}

int
main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, loop, NULL);
	for (int i = 0; i < 32; i++) {
		struct request *r = malloc(sizeof *r);
		r->slot = i;
		r->in = i;
		submit(square, r);
	}
	for (int i = 0; i < 32; i++) {
		struct request *r = malloc(sizeof *r);
		r->out = &cubes[i];
		r->in = i;
		submit(cube, r);
	}
	pthread_mutex_lock(&m);
	stop = 1;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return squares[3] + cubes[4]; // NORACE
}
