/* A call starts a thread on its local variable and joins it if there is much to do, again and again. */
#include <pthread.h>

static void *
run(void *arg)
{
	*(int *)arg *= 2; // RACE
	return NULL;
}

static int
twice(int n)
{
	pthread_t t;
	int x = n;

	if (pthread_create(&t, NULL, run, &x) != 0)
		return n * 2;
	if (n > 3)
		pthread_join(t, NULL);
	return x; // RACE
}

int
main(int argc, char **argv)
{
	int sum = 0;

	(void)argv;
	for (int i = 0; i < argc; i++)
		sum += twice(i);
	return sum;
}
