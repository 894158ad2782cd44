/* A pool with futures: each future has a lock, a condition and a flag. */
#include <pthread.h>
#include <stdlib.h>

struct future {
	pthread_mutex_t m;
	pthread_cond_t c;
	int done, arg, value;
	struct future *next;
};
static struct future *queue;
static int stop;
static pthread_mutex_t qm = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t qc = PTHREAD_COND_INITIALIZER;

static struct future *
submit(int arg)
{
	struct future *f = calloc(1, sizeof *f);
	pthread_mutex_init(&f->m, NULL);
	pthread_cond_init(&f->c, NULL);
	f->arg = arg; // NORACE
	pthread_mutex_lock(&qm);
	f->next = queue; // NORACE
	queue = f;       // NORACE
	pthread_cond_signal(&qc);
	pthread_mutex_unlock(&qm);
	return f;
}

static int
get(struct future *f)
{
	int v;
	pthread_mutex_lock(&f->m);
	while (!f->done) // NORACE
		pthread_cond_wait(&f->c, &f->m);
	v = f->value; // NORACE
	pthread_mutex_unlock(&f->m);
	return v;
}

static void *
worker(void *a)
{
	for (;;) {
		struct future *f;
		int v;
		pthread_mutex_lock(&qm);
		while (!queue && !stop) // NORACE
			pthread_cond_wait(&qc, &qm);
		f = queue; // NORACE
		if (f)
			queue = f->next; // NORACE
		pthread_mutex_unlock(&qm);
		if (!f)
			return a;
		v = f->arg * f->arg; // NORACE
		pthread_mutex_lock(&f->m);
		f->value = v; // NORACE
		f->done = 1;  // NORACE
		pthread_cond_broadcast(&f->c);
		pthread_mutex_unlock(&f->m);
	}
}

int
main(void)
{
	pthread_t t[2];
	struct future *f, *g;
	int s;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	f = submit(3);
	g = submit(4);
	s = get(f) + get(g);
	pthread_mutex_lock(&qm);
	stop = 1; // NORACE
	pthread_cond_broadcast(&qc);
	pthread_mutex_unlock(&qm);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return s;
}
