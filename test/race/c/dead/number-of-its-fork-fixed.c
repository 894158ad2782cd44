/* Each thread is started by a call of its own, with a number that says what it does. */
#include <pthread.h>

static int heads, tails;

static void
count(int id)
{
	if (id == 1)
		tails++; // NORACE
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
	pthread_t a, b;

	pthread_create(&a, NULL, worker, (void *)0);
	pthread_create(&b, NULL, worker, (void *)1);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return heads + tails;
}
