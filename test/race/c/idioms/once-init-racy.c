/* A table is made on first use, guarded by nothing but its own flag. */
#include <pthread.h>

static int squares[100];
static int made;

static void
make_squares(void)
{
	for (int i = 0; i < 100; i++)
		squares[i] = i * i; // RACE possible
}

static int
square(int n)
{
	if (!made) { // RACE
		make_squares();
		made = 1; // RACE
	}
	return squares[n % 100]; // RACE possible
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
