/* A list of jobs that a thread walks through gives it those that are still being filled in. */
#include <pthread.h>
#include <stdlib.h>

struct job {
	pthread_t thread;
	int client;
	int left;
	struct job *next;
};

static struct job *jobs;

static void *
serve(void *arg)
{
	struct job *j = arg;

	while (j->left > 0)
		j->left--;
	return NULL;
}

static void *
watch(void *arg)
{
	long sum = 0;

	for (struct job *j = jobs; j; j = j->next) // RACE
		sum += j->left;                    // RACE
	return (void *)(sum + (long)arg);
}

static void
start(int client)
{
	struct job *j = calloc(1, sizeof *j);

	if (!j)
		return;
	j->next = jobs;
	jobs = j; // RACE
	j->client = client;
	j->left = 10; // RACE
	if (client < 0) {
		jobs = j->next;
		free(j); // RACE
		return;
	}
	pthread_create(&j->thread, NULL, serve, j);
}

int
main(int argc, char **argv)
{
	pthread_t w;

	(void)argv;
	pthread_create(&w, NULL, watch, NULL);
	for (int i = 0; i < argc; i++)
		start(i - 1);
	for (struct job *j = jobs; j; j = j->next)
		pthread_join(j->thread, NULL);
	pthread_join(w, NULL);
	return 0;
}
