/* As started-when-idle-fixed.c, but a limit is set before the test, also while the thread runs. */
#include <pthread.h>
#include <stdlib.h>

struct queue {
	int n;
};

static struct queue *queue;
static int limit;
static pthread_t id;

static void *
drain(void *unused)
{
	(void)unused;
	queue->n = limit; // RACE
	return NULL;
}

static void
put(int last)
{
	limit = last; // RACE
	if (queue == NULL) {
		queue = malloc(sizeof *queue);
		pthread_create(&id, NULL, drain, NULL);
	}
	if (last) {
		pthread_join(id, NULL);
		free(queue);
		queue = NULL;
	}
}

int
main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < argc; i++)
		put(i % 2);
	return 0;
}
