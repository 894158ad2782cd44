/* The destructor of a thread's data adds to a total that all threads share. */
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static long total;

static void
finish(void *p)
{
	total += *(long *)p; // RACE
	free(p);
}

static void *
w(void *a)
{
	long *n = malloc(sizeof *n);
	*n = 0; // NORACE
	pthread_setspecific(key, n);
	for (int i = 0; i < 10; i++)
		++*(long *)pthread_getspecific(key); // NORACE
	return a;
}

int
main(void)
{
	pthread_t a, b;
	pthread_key_create(&key, finish);
	pthread_create(&a, NULL, w, NULL);
	pthread_create(&b, NULL, w, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return total; // NORACE
}
