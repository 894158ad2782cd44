/* Each thread copies its bounds out of the object that it was given, frees that, and works between them. */
#include <pthread.h>
#include <stdlib.h>

#define ROWS 64
#define THREADS 4

struct slice { int from, to, number; };

static double grid[ROWS][16];
static int sums[THREADS];

static void *work(void *arg)
{
	struct slice s = *(struct slice *)arg;

	free(arg);
	for (int i = s.from; i < s.to; i++)
		for (int j = 0; j < 16; j++)
			grid[i][j] *= 2; // NORACE
	sums[s.number] = s.to - s.from; // NORACE
	return 0;
}

int main(void)
{
	pthread_t t[THREADS];
	int sum = 0;

	for (int i = 0; i < THREADS; i++) {
		struct slice *s = malloc(sizeof *s);
		s->from = i * (ROWS / THREADS);
		s->to = s->from + ROWS / THREADS;
		s->number = i;
		pthread_create(&t[i], 0, work, s);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], 0);
	for (int i = 0; i < THREADS; i++)
		sum += sums[i]; // NORACE
	return sum;
}
