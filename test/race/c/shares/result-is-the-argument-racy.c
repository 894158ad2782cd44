/* Each thread returns what it was given, and its joiner reads that. But another one's. */
#include <pthread.h>
#include <stdlib.h>

struct task {
	pthread_t thread;
	long sum;
};

static struct task *tasks;

static void *
worker(void *arg)
{
	struct task *t = arg;

	t->sum = t - tasks; // RACE
	return tasks;
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4;
	long sum = 0;

	tasks = calloc(n, sizeof *tasks);
	for (int i = 0; i < n; i++)
		pthread_create(&tasks[i].thread, NULL, worker, &tasks[i]);
	for (int i = 0; i < n; i++) {
		void *result;
		pthread_join(tasks[i].thread, &result);
		sum += ((struct task *)result)->sum; // RACE
	}
	free(tasks);
	return (int)sum;
}
