/* The result is read before the workers are joined. */
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
	pi += part; // RACE
	pthread_mutex_unlock(&lock);
	return arg;
}

int
main(void)
{
	pthread_t t[WORKERS];

	for (int i = 0; i < WORKERS; i++)
		pthread_create(&t[i], NULL, integrate, NULL);
	printf("%f\n", pi); // RACE
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], NULL);
	return 0;
}
