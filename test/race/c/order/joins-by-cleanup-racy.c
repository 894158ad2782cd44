/* As many threads as an option says are started; the option changes, and a function joins fewer. */
#include <pthread.h>
#include <stdlib.h>

static int jobs = 4;
static pthread_t *threads;
static char *base;
static int hits;

static void *use(void *arg)
{
	if (base && base[0] == 'x') // RACE
		__atomic_fetch_add(&hits, 1, __ATOMIC_RELAXED);
	return arg;
}

static void cleanup(void)
{
	for (int i = 0; i < jobs; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	free(base); // RACE
	base = NULL; // RACE
}

int main(int argc, char **argv)
{
	if (argc > 1)
		jobs = atoi(argv[1]);
	base = calloc(1, 10);
	threads = calloc((size_t)jobs, sizeof *threads);
	if (!threads)
		return 1;
	for (int i = 0; i < jobs; i++)
		if (pthread_create(&threads[i], NULL, use, NULL))
			return 1;
	if (argc > 2)
		jobs = 1;
	if (argc > 2)
		hits += (int)(argv[2][0]); // RACE
	cleanup();
	return hits;
}
