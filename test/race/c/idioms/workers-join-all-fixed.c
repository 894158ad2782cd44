/* The result is read when all the workers have been joined. */
#include <pthread.h>
#include <stdio.h>

#define WORKERS 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double pi;

static void *
integrate(void *arg)
{
	double part = 0;

	for (int i = 0; i < 1000; i++)
		part += 1.0 / (1 + i * i);
	pthread_mutex_lock(&lock);
	pi += part; // NORACE
	pthread_mutex_unlock(&lock);
	return arg;
}

int
main(void)
{
	pthread_t t[WORKERS];

	for (int i = 0; i < WORKERS; i++)
		pthread_create(&t[i], NULL, integrate, NULL);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], NULL);
	printf("%f\n", pi); // NORACE
	return 0;
}
