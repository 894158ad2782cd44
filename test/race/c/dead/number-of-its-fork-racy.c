/* Threads are started with numbers that say what they do; two of them get the same. */
#include <pthread.h>

static int heads, tails;

static void
count(int id)
{
	if (id == 1)
		tails++; // RACE
}

static void *
worker(void *arg)
{
	int id = (int)(long)arg;

	if (id == 0)
		heads++; // NORACE
	else
		count(id);
	return NULL;
}

int
main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, worker, (void *)0);
	pthread_create(&b, NULL, worker, (void *)1);
	pthread_create(&c, NULL, worker, (void *)1);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return heads + tails;
}
