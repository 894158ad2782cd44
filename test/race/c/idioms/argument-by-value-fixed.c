/* Each thread gets the loop counter by value, in the pointer itself. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static void *
worker(void *arg)
{
	int id = (int)(intptr_t)arg; // NORACE

	printf("worker %d\n", id);
	return NULL;
}

int
main(void)
{
	pthread_t t[4];
	int i;

	for (i = 0; i < 4; i++) // NORACE
		pthread_create(&t[i], NULL, worker, (void *)(intptr_t)i);
	for (int k = 0; k < 4; k++)
		pthread_join(t[k], NULL);
	return 0;
}
