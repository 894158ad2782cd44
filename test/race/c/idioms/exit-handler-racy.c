/* An exit handler prints a total while a detached thread still adds to it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void
print_total(void)
{
	printf("%d\n", total); // RACE
}

static void *
worker(void *arg)
{
	pthread_mutex_lock(&lock);
	total++; // RACE
	pthread_mutex_unlock(&lock);
	return arg;
}

int
main(void)
{
	pthread_t t;

	if (atexit(print_total) != 0)
		return 1;
	if (pthread_create(&t, NULL, worker, NULL) != 0)
		return 1;
	pthread_detach(t);
	return 0;
}
