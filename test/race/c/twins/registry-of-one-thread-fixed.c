/* What main keeps in a list that only main looks at is still its own until the thread gets it. */
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

	while (j->left > 0) // NORACE
		j->left--;  // NORACE
	return NULL;
}

static void
start(int client)
{
	struct job *j = calloc(1, sizeof *j);

	if (!j)
		return;
	j->next = jobs;
	jobs = j;           // NORACE
	j->client = client; // NORACE
	j->left = 10;       // NORACE
	if (client < 0) {
		jobs = j->next;
		free(j); // NORACE
		return;
	}
	pthread_create(&j->thread, NULL, serve, j);
}

int
main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < argc; i++)
		start(i - 1);
	for (struct job *j = jobs; j; j = j->next)
		pthread_join(j->thread, NULL);
	return 0;
}
