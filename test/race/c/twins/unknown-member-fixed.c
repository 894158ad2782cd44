/* Unknown code gets hold of a record behind a plain pointer: it does not know its members, and puts no function of its own into them. */
#include <pthread.h>
#include <stdlib.h>

struct job {
	long id;
	void (*run)(void *data);
	void *data;
};

struct plugin { /* known to the library */
	void (*start)(void *data);
};

void library_register(struct plugin *p, void *context);

static int g;
static struct job *volatile todo;

static void
compute(void *data)
{
	(void)data;
}

void
count(void *data)
{
	(void)data;
	g++; // NORACE
}

static void *
work(void *arg)
{
	todo->run(NULL);
	return arg;
}

int
main(void)
{
	static struct plugin plugin;
	static void *box[1];
	pthread_t a;

	todo = malloc(sizeof *todo);
	todo->run = compute;
	plugin.start = count;
	box[0] = todo;
	library_register(&plugin, box);
	pthread_create(&a, NULL, work, NULL);
	g++;
	pthread_join(a, NULL);
	return 0;
}
