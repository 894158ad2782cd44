/* A handler in a struct without a name, in a union, in memory of a pool: what lies in the members of other records is not called there. */
#include <pthread.h>
#include <stdlib.h>

union job {
	struct {
		int fd;
		unsigned sync : 1;
	} close;
	struct {
		void (*run)(void **args);
		void *args[];
	} call;
};

struct timer {
	long when;
	void (*fire)(void **args);
};

static int g;
static union job *volatile todo;
static struct timer *volatile timer;

static void *
carve(size_t n)
{
	static char *at;
	char *p;

	if (!at)
		at = malloc(1 << 16);
	p = at;
	at += n;
	return p;
}

static void
drop(void **args)
{
	free(args[0]);
}

static void
tick(void **args)
{
	(void)args;
	g++; // NORACE
}

static void
submit(void (*run)(void **), void *arg)
{
	union job *j = carve(sizeof *j + sizeof arg);

	j->call.run = run;
	j->call.args[0] = arg;
	todo = j;
}

static void *
work(void *arg)
{
	todo->call.run(todo->call.args);
	return arg;
}

int
main(void)
{
	pthread_t a;

	timer = carve(sizeof *timer);
	timer->fire = tick;
	submit(drop, malloc(8));
	pthread_create(&a, NULL, work, NULL);
	timer->fire(NULL);
	pthread_join(a, NULL);
	return 0;
}
