#include <pthread.h>

#include "calls.h"

static void *
worker(void *arg)
{
	bump();
	return arg;
}

int
main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	return 0;
}
