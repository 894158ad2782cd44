/* Each thread gets the address of the loop counter, which goes on counting. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static void *
worker(void *arg)
{
	int id = *(int *)arg; // RACE

	printf("worker %d\n", id);
	return NULL;
}

int
main(void)
{
	pthread_t t[4];
	int i;

	for (i = 0; i < 4; i++) // RACE
		pthread_create(&t[i], NULL, worker, &i);
	for (int k = 0; k < 4; k++)
		pthread_join(t[k], NULL);
	return 0;
}
