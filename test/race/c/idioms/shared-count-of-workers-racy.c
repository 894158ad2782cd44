/* Two threads start workers of their own; how many there are is in one variable, which the
 * other thread sets in between. */
#include <pthread.h>

static int n;

static void *
work(void *arg)
{
	*(long *)arg = 1; // RACE
	return NULL;
}

static long
run(int count)
{
	pthread_t workers[8];
	long done[8];
	long sum = 0;

	n = count;
	for (int i = 0; i < n; i++)
		pthread_create(&workers[i], NULL, work, &done[i]);
	for (int i = 0; i < n; i++)
		pthread_join(workers[i], NULL);
	for (int i = 0; i < 8; i++)
		sum += done[i]; // RACE
	return sum;
}

static void *
first(void *arg)
{
	run(8);
	return arg;
}

static void *
second(void *arg)
{
	run(2);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
