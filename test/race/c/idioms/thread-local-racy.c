/* The scratch buffer of a formatter is static: all threads write to one. */
#include <pthread.h>

static char scratch[32];

static const char *
hex(unsigned n)
{
	char *p = scratch + sizeof scratch - 1;

	*p = '\0'; // RACE
	do {
		*--p = "0123456789abcdef"[n & 15]; // RACE
		n >>= 4;
	} while (n && p > scratch);
	return p;
}

static void *
worker(void *arg)
{
	const char *s = hex(0xbeef);

	return *s == 'b' ? arg : NULL; // RACE
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
