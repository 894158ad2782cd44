/* Unknown code gets a record of a type that it knows: the function in its member may be another one then. */
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
static struct plugin *volatile todo;

static void
compute(void *data)
{
	(void)data;
}

void
count(void *data)
{
	(void)data;
	g++; // RACE possible
}

static void *
work(void *arg)
{
	todo->start(NULL);
	return arg;
}

int
main(void)
{
	static struct plugin plugin;
	static void *box[1];
	pthread_t a;

	todo = malloc(sizeof *todo);
	todo->start = compute;
	plugin.start = count;
	box[0] = todo;
	library_register(&plugin, box);
	pthread_create(&a, NULL, work, NULL);
	g++;
	pthread_join(a, NULL);
	return 0;
}
