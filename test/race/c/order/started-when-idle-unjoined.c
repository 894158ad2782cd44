/* As started-when-idle-fixed.c, but nobody waits for the thread before its queue is freed. */
#include <pthread.h>
#include <stdlib.h>

struct queue {
	int n;
};

static struct queue *queue;
static pthread_t id;

static void *
drain(void *unused)
{
	(void)unused;
	queue->n = 1; // RACE
	return NULL;
}

static void
put(int last)
{
	if (queue == NULL) {
		queue = malloc(sizeof *queue);
		pthread_create(&id, NULL, drain, NULL);
	}
	if (last) {
		free(queue); // RACE
		queue = NULL; // RACE
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
