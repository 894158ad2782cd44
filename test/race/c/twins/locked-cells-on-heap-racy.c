/* Cells on the heap have their locks, and the neighbour, too, is used under them. */
#include <pthread.h>

#include <stdlib.h>
#define N 4
struct cell {
	pthread_mutex_t lock;
	int value;
};
static struct cell *cells;
static void *
work(void *arg)
{
	long i = (long)arg % 2;
	pthread_mutex_lock(&cells[i].lock);
	cells[i].value++;     // RACE
	cells[i + 1].value++; // RACE
	pthread_mutex_unlock(&cells[i].lock);
	return NULL;
}
int
main(void)
{
	pthread_t t[N];
	cells = calloc(N, sizeof *cells);
	for (int i = 0; i < N; i++)
		pthread_mutex_init(&cells[i].lock, NULL);
	for (long i = 0; i < N; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return 0;
}
