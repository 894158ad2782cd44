/* Each phase sets what its workers read, starts them through a helper, and collects as many as it
 * has noted. */
#include <pthread.h>
#include <stdlib.h>

struct job {
	pthread_t thread;
	unsigned start;
};

static struct {
	int jobs, mode;
	struct job *at;
} control;

static void *
crack(void *arg)
{
	struct job *j = arg;

	return (void *)(long)(j->start + control.mode); // NORACE-LIKELY
}

static void
setup(int i)
{
	pthread_create(&control.at[i].thread, NULL, crack, &control.at[i]);
}

static void
start(int *jobs, int mode)
{
	control.jobs = *jobs; // NORACE-LIKELY
	control.mode = mode;  // NORACE-LIKELY
	control.at = malloc(*jobs * sizeof *control.at);
	for (int i = 0; i < *jobs; i++) {
		control.at[i].start = i;
		setup(i);
	}
}

static void
collect(void)
{
	for (int i = 0; i < control.jobs; i++)
		pthread_join(control.at[i].thread, NULL);
	free(control.at);
}

static void
second(int *jobs)
{
	start(jobs, 2);
	collect();
}

int
main(int argc, char **argv)
{
	int *jobs = malloc(sizeof *jobs);

	*jobs = argc > 1 ? atoi(argv[1]) : 4;
	while (*jobs > 1) {
		start(jobs, 1);
		collect();
		second(jobs);
		*jobs = *jobs / 2;
	}
	return 0;
}
