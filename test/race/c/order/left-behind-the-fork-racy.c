/* The loop that starts threads is left behind a start that did not fail, so the last handle is
 * beyond what is joined. */
#include <pthread.h>
#include <stdlib.h>

static int x;

static void *
worker(void *arg)
{
	(void)arg;
	x = 1; // RACE
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t t[64];
	int i = 1;

	(void)argv;
	pthread_create(&t[0], NULL, worker, NULL);
	for (;; i++) {
		pthread_create(&t[i], NULL, worker, NULL);
		if (i == argc)
			break;
	}
	for (int k = 0; k < i; k++)
		pthread_join(t[k], NULL);
	return x; // RACE
}
