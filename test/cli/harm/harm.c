#include <pthread.h>
#include <stdlib.h>

static int value, bound, handed, at, *pointer, *gone;
static int array[16];

static int
sum(int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += array[i];
	return s;
}

static void *
worker(void *arg)
{
	value = 1;
	at = 2;
	bound = 3;
	handed = 4;
	pointer = &array[1];
	free(arg);
	return NULL;
}

int
main(void)
{
	pthread_t t;
	int s = 0, *cell = malloc(sizeof *cell);

	if (!cell)
		return 1;
	pthread_create(&t, NULL, worker, cell);
	s += value;
	s += array[at];
	for (int i = 0; i < bound; i++)
		s++;
	s += sum(handed);
	if (pointer)
		s += *pointer;
	s += *cell;
	pthread_join(t, NULL);
	return s;
}
