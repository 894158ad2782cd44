/* Each worker gets what was made for it and put into a table; main takes those out that
 * have ended. */
#include <pthread.h>
#include <stdlib.h>

enum { WORKERS = 8 };
struct worker {
	pthread_t thread;
	int served;
	int *request;
};
static struct worker **list;

static struct worker *
new_worker(void)
{
	struct worker *w = malloc(sizeof *w);

	w->served = 0;
	w->request = 0;
	return w;
}

static void *
work(void *arg)
{
	struct worker *w = arg;

	for (int k = 0; k < 10; k++) {
		if (!w->request)
			w->request = malloc(sizeof(int)); // NORACE
		w->served++; // NORACE
	}
	return 0;
}

static void
stop(int k)
{
	pthread_join(list[k]->thread, 0);
	list[k] = NULL;
}

int
main(int argc, char **argv)
{
	pthread_t t;

	list = malloc((WORKERS + 1) * sizeof *list);
	for (int k = 0; k < WORKERS; k++) {
		if (!(list[k] = new_worker()))
			exit(1);
		pthread_create(&t, 0, work, list[k]);
		list[k]->thread = t;
	}
	list[WORKERS] = NULL;
	if (argc < WORKERS)
		stop(argc);
	return 0;
}
