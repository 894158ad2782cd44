/* Handlers of one type in two members of a record from a pool: the thread calls only one of the members. */
#include <pthread.h>
#include <stdlib.h>

struct job {
	void (*run)(void *data);
	void (*report)(void *data);
	struct job *next;
};

static int g;
static struct job *volatile todo;

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
compute(void *data)
{
	(void)data;
}

static void
count(void *data)
{
	(void)data;
	g++; // NORACE
}

static void
count_twice(void *data)
{
	(void)data;
	g += 2; // NORACE
}

static void
add(void (*run)(void *), void (*report)(void *))
{
	struct job *j = carve(sizeof *j);

	j->run = run;
	j->report = report;
	j->next = todo;
	todo = j;
}

static void *
work(void *arg)
{
	todo->run(NULL);
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t a, b;
	(void)argv;

	add(compute, argc > 1 ? count : count_twice);
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	todo->report(NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
