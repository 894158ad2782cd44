/* A job begins as a table of two methods does, and is used as one: what is put into one is
 * called from the other. */
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
	void (*done)(void *);
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
	opened++; // RACE
}

static void
run(struct job *j)
{
	j->run(j);
}

static struct job *
job_new(void (*f)(void *))
{
	struct job *j = grab(sizeof *j);

	j->run = f;
	j->done = nothing;
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
	struct job *j = job_new(open_all);
	struct methods *m = (struct methods *)j;

	pthread_create(&t, NULL, work, m);
	run(j);
	pthread_join(t, NULL);
	return opened;
}
