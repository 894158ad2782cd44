/* A callback with its data looks like the beginning of a table of methods, but for the
 * second member: what is put into one is not called from the other. */
#include <pthread.h>
#include <stddef.h>

static int opened;
static char pool[256];
static size_t used;

static void *
grab(size_t n)
{
	used += n;
	return pool + used - n;
}

struct methods {
	void (*begin)(void *);
	void (*end)(void *);
};
struct job {
	void (*run)(void *);
	void *data;
};

static void
nothing(void *arg)
{
	(void)arg;
}

static void
open_all(void *arg)
{
	(void)arg;
	opened++; // NORACE
}

static void
run(struct job *j)
{
	j->run(j->data);
}

static struct job *
job_new(void (*f)(void *), void *data)
{
	struct job *j = grab(sizeof *j);

	j->run = f;
	j->data = data;
	return j;
}

static void *
work(void *arg)
{
	struct methods *m = arg;

	m->begin(m);
	m->end(m);
	return arg;
}

int
main(void)
{
	pthread_t t;
	struct methods *m = grab(sizeof *m);
	struct job *j = job_new(open_all, m);

	m->begin = m->end = nothing;
	pthread_create(&t, NULL, work, m);
	run(j);
	pthread_join(t, NULL);
	return opened;
}
