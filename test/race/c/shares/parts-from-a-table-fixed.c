/* The parts of an array stand in a table. */
#include <pthread.h>

struct part {
	int from, to;
};

static int x[300];

static void *
worker(void *arg)
{
	struct part *p = arg;

	for (int i = p->from; i < p->to; i++)
		x[i]++; // NORACE
	return NULL;
}

int
main(void)
{
	struct part parts[] = {{0, 100}, {100, 200}, {200, 300}};
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, &parts[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return x[0];
}
