/* Workers are made in one loop, started in a second and waited for in a third. */
#include <pthread.h>
#include <stdlib.h>
struct worker {
	pthread_t thread;
	long done;
};
static struct worker *workers[4];
static void *
run(void *arg)
{
	struct worker *w = arg;
	w->done++; // NORACE
	return NULL;
}
int
main(void)
{
	long sum = 0;
	for (int i = 0; i < 4; i++) {
		workers[i] = malloc(sizeof **workers);
		workers[i]->done = 0;
	}
	for (int i = 0; i < 4; i++)
		pthread_create(&workers[i]->thread, NULL, run, workers[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(workers[i]->thread, NULL);
	for (int i = 0; i < 4; i++)
		sum += workers[i]->done; // NORACE
	return (int)sum;
}
