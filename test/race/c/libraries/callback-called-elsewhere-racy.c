/* A library calls back a function, and drops its result, which the program itself also calls through a pointer. */
#include <pthread.h>
#include <stdlib.h>

static int compared, numbers[8], once;

static int
compare(const void *a, const void *b)
{
	compared++; // RACE
	return *(const int *)a - *(const int *)b;
}

static void
sort(int (*how)(const void *, const void *))
{
	qsort(numbers, 8, sizeof *numbers, how);
}

static void *
sorter(void *arg)
{
	sort(compare);
	return arg;
}

int
main(void)
{
	int (*volatile same)(const void *, const void *) = compare;
	pthread_t t;

	once = same(numbers, numbers + 1);
	pthread_create(&t, NULL, sorter, NULL);
	compared = 0; // RACE
	pthread_join(t, NULL);
	return once;
}
