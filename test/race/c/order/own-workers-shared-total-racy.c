/* Each server waits for the workers that it has started, and then sets what all workers read:
 * those of other servers may run. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	pthread_t t;
	struct node *next;
};

static int total;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
work(void *arg)
{
	(void)arg;
	return (void *)(long)total; // RACE
}

static void *
serve(void *arg)
{
	struct node *list = NULL, *n;

	(void)arg;
	for (int i = 0; i < 4; i++) {
		n = malloc(sizeof *n);
		pthread_create(&n->t, NULL, work, NULL);
		n->next = list;
		list = n;
	}
	for (; list; list = list->next)
		pthread_join(list->t, NULL);
	pthread_mutex_lock(&m);
	total++; // RACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int
main(void)
{
	pthread_t t;

	for (int i = 0; i < 8; i++)
		if (!pthread_create(&t, NULL, serve, NULL))
			pthread_detach(t);
	pthread_exit(NULL);
}
