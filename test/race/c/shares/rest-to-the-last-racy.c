/* The last thread also has what is left, and each works up to its end with that: the next one begins there. */
#include <pthread.h>

#define ROWS 100
#define WORKERS 3

struct band {
	int first, end;
};

static int sums[ROWS];
static int means[ROWS];

static void *
add(void *arg)
{
	struct band *b = arg;

	for (int i = b->first; i <= b->end; i++)
		sums[i] += i; // RACE
	for (int i = b->first; i < b->end; i++)
		means[i] += i; // NORACE
	return 0;
}

int
main(void)
{
	pthread_t worker[WORKERS];
	struct band band[WORKERS];
	int rows = ROWS / WORKERS;

	for (int i = 0; i < WORKERS; i++) {
		band[i].first = i * rows;
		band[i].end = i == WORKERS - 1 ? ROWS - 1 : (i + 1) * rows;
		pthread_create(&worker[i], 0, add, &band[i]);
	}
	for (int i = 0; i < WORKERS; i++)
		pthread_join(worker[i], 0);
	return 0;
}
