/* The handles are on the heap, as many as asked for, and all are joined. */
#include <pthread.h>

#include <stdlib.h>
static int total;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *
work(void *arg)
{
	pthread_mutex_lock(&m);
	total++; // NORACE
	pthread_mutex_unlock(&m);
	return arg;
}
int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4;
	pthread_t *t = malloc((size_t)n * sizeof *t);
	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	total = 0; // NORACE
	return 0;
}
