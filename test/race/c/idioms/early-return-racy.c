/* A function unlocks before an early return that still counts. */
#include <pthread.h>

#define CAPACITY 8

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int used, rejected;

static int
reserve(void)
{
	pthread_mutex_lock(&lock);
	if (used == CAPACITY) { // NORACE
		pthread_mutex_unlock(&lock);
		rejected++; // RACE
		return 0;
	}
	used++; // NORACE
	pthread_mutex_unlock(&lock);
	return 1;
}

static void *
client(void *arg)
{
	for (int i = 0; i < 10; i++)
		reserve();
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, client, NULL);
	pthread_create(&b, NULL, client, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return rejected;
}
