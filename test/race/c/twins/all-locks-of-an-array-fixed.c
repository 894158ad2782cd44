/* Readers hold one lock of an array, and who replaces the table holds all of them, in a loop or by a function. */
#include <pthread.h>
#include <stdlib.h>

#define S 8
static pthread_mutex_t stripe[S];
static int *table;
static unsigned size = 16, renamed;

static void
lock_all(void)
{
	for (int i = 0; i < S; i++)
		pthread_mutex_lock(&stripe[i]);
}

static void
unlock_all(void)
{
	for (int i = 0; i < S; i++)
		pthread_mutex_unlock(&stripe[i]);
}

static void
grow(void)
{
	for (int i = 0; i < S; i++)
		pthread_mutex_lock(&stripe[i]);
	free(table);                         // NORACE-LIKELY
	size *= 2;                           // NORACE-LIKELY
	table = calloc(size, sizeof *table); // NORACE-LIKELY
	for (int i = 0; i < S; i++)
		pthread_mutex_unlock(&stripe[i]);
	lock_all();
	renamed = size; // NORACE-LIKELY
	unlock_all();
}

static void *
reader(void *a)
{
	unsigned k = (unsigned)(long)a, v;
	pthread_mutex_lock(&stripe[k % S]);
	v = table[k % size] + renamed; // NORACE-LIKELY
	pthread_mutex_unlock(&stripe[k % S]);
	return (void *)(long)v;
}

int
main(int argc, char **argv)
{
	pthread_t t[4];
	for (int i = 0; i < S; i++)
		pthread_mutex_init(&stripe[i], NULL);
	table = calloc(size, sizeof *table);
	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, reader, (void *)(i * argc));
	grow();
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
