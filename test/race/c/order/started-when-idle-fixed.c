/* A thread that is started when there is none, and joined when it is no longer wanted: what
 * its creator prepares for it, behind the test, it does while none runs. */
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
	queue->n = limit; // NORACE-LIKELY
	return NULL;
}

static void
put(int last)
{
	if (queue == NULL) {
		queue = malloc(sizeof *queue); // NORACE-LIKELY
		limit = 3; // NORACE-LIKELY
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
