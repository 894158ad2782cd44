/* Who finds none left gets the first one. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct slot {
	int used, value;
};
static struct slot pool[64];
static int used, x[1];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static struct slot *
claim(void)
{
	struct slot *s = &pool[0];

	pthread_mutex_lock(&m);
	if (used < 64)
		s = &pool[used++];
	pthread_mutex_unlock(&m);
	return s;
}

static void *
worker(void *arg)
{
	struct slot *s = claim();

	if (s)
		s->value = 1; // RACE
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
