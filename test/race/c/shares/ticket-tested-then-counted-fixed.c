/* The number is looked at first, and counted up if it is one to use. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int x[1000], next;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
worker(void *arg)
{
	for (;;) {
		int id;

		pthread_mutex_lock(&m);
		id = next;
		if (id >= 1000) {
			pthread_mutex_unlock(&m);
			break;
		}
		next = id + 1;
		pthread_mutex_unlock(&m);
		x[id] = id; // NORACE
	}
	return arg;
}

int
main(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return (int)x[0];
}
