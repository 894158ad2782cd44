/* The comparison function that qsort calls back counts in a global. */
#include <pthread.h>
#include <stdlib.h>

static int comparisons;

static int
compare(const void *p, const void *q)
{
	const int *a = p, *b = q;

	comparisons++; // RACE
	return (*a > *b) - (*a < *b); // NORACE
}

static void *
sort(void *arg)
{
	int data[8] = {3, 1, 4, 1, 5, 9, 2, 6};

	qsort(data, 8, sizeof data[0], compare); // NORACE
	return data[0] == 1 ? arg : NULL;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, sort, NULL);
	pthread_create(&b, NULL, sort, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
