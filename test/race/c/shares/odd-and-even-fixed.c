/* One thread has the odd elements, one the even ones. */
#include <pthread.h>

static int x[100];

static void *
odd(void *arg)
{
	for (int i = 1; i < 100; i += 2)
		x[i] = i; // NORACE
	return arg;
}

static void *
even(void *arg)
{
	for (int i = 0; i < 100; i += 2)
		x[i] = i;
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, odd, NULL);
	pthread_create(&b, NULL, even, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return x[3];
}
