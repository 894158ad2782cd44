/* A table is made on first use by pthread_once. */
#include <pthread.h>

static int squares[100];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
make_squares(void)
{
	for (int i = 0; i < 100; i++)
		squares[i] = i * i; // NORACE
}

static int
square(int n)
{
	pthread_once(&once, make_squares);
	return squares[n % 100]; // NORACE
}

static void *
worker(void *arg)
{
	return square(7) == 49 ? arg : NULL;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
