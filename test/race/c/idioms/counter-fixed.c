/* A hit counter that two request handlers increment under its lock. */
#include <pthread.h>
#include <stdio.h>

static long hits;
static pthread_mutex_t hits_lock = PTHREAD_MUTEX_INITIALIZER;

static void *
handler(void *arg)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&hits_lock);
		hits++; // NORACE
		pthread_mutex_unlock(&hits_lock);
	}
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, handler, NULL);
	pthread_create(&b, NULL, handler, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_mutex_lock(&hits_lock);
	printf("%ld hits\n", hits); // NORACE
	pthread_mutex_unlock(&hits_lock);
	return 0;
}
