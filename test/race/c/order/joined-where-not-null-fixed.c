/* Handles start out as zero, and only those that a create has stored to are joined: what is
 * zero has no thread.  The last loop takes each out of the table as it goes. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static long sum, rest, more;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t table[8];

static void *
add(void *arg)
{
	pthread_mutex_lock(&m);
	sum += (long)arg; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *
take(void *arg)
{
	pthread_mutex_lock(&m);
	rest -= (long)arg; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *
raise_more(void *arg)
{
	pthread_mutex_lock(&m);
	more += (long)arg; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4;
	pthread_t *h = calloc((size_t)n, sizeof *h);

	for (int i = 0; i < n; i++)
		if (pthread_create(&h[i], NULL, add, (void *)(long)i))
			fprintf(stderr, "no thread %d\n", i);
	for (int i = 0; i < n; i++)
		if (h[i])
			pthread_join(h[i], NULL);
	free(h);
	printf("%ld\n", sum); // NORACE

	for (int i = 0; i < 8; i++)
		pthread_create(&table[i], NULL, take, (void *)(long)i);
	for (int i = 0; i < 8; i++) {
		pthread_t t = table[i];
		if (t == 0)
			continue;
		pthread_join(t, NULL);
	}
	rest = 0; // NORACE

	h = calloc((size_t)n, sizeof *h);
	for (int i = 0; i < n; i++)
		if (pthread_create(&h[i], NULL, raise_more, (void *)(long)i))
			break;
	for (int i = 0; i < n; i++)
		if (h[i]) {
			pthread_join(h[i], NULL);
			h[i] = 0;
		}
	free(h);
	printf("%ld\n", more); // NORACE
	return 0;
}
