/* Workers of three kinds start each other: one may outlive all that started
 * it, and main has joined only the first. */
#include <pthread.h>
#include <stdlib.h>

static int before, early, late, locked;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *second(void *arg);
static void *third(void *arg);

static void
start(void *(*f)(void *))
{
	pthread_t h;

	if (rand() % 2 && pthread_create(&h, NULL, f, NULL) == 0)
		pthread_detach(h);
}

static void *
first(void *arg)
{
	(void)before; // NORACE
	early++;      // RACE
	start(second);
	start(third);
	return arg;
}

static void *
second(void *arg)
{
	int seen = before; // NORACE
	start(third);
	start(first);
	return seen ? arg : NULL;
}

static void *
third(void *arg)
{
	late++; // RACE
	pthread_mutex_lock(&m);
	locked++; // NORACE
	pthread_mutex_unlock(&m);
	start(first);
	start(second);
	return arg;
}

int
main(void)
{
	pthread_t h[3];

	before = 1; // NORACE
	for (int i = 0; i < 3; i++)
		pthread_create(&h[i], NULL, first, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(h[i], NULL);
	late = 0; // RACE
	pthread_mutex_lock(&m);
	locked++; // NORACE
	pthread_mutex_unlock(&m);
	return 0;
}
