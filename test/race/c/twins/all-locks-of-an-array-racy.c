/* Readers hold one lock of an array, and who replaces the table has had all of them, one after the other, or holds those of another array. */
#include <pthread.h>
#include <stdlib.h>

#define S 8
static pthread_mutex_t stripe[S], other[S];
static int *table;
static unsigned size = 16, renamed;

static void
lock_all(void)
{
	for (int i = 0; i < S; i++)
		pthread_mutex_lock(&other[i]);
}

static void
unlock_all(void)
{
	for (int i = 0; i < S; i++)
		pthread_mutex_unlock(&other[i]);
}

static void
grow(void)
{
	for (int i = 0; i < S; i++) {
		pthread_mutex_lock(&stripe[i]);
		pthread_mutex_unlock(&stripe[i]);
	}
	free(table);                         // RACE
	size *= 2;                           // RACE
	table = calloc(size, sizeof *table); // RACE
	lock_all();
	renamed = size; // RACE
	unlock_all();
}

static void *
reader(void *a)
{
	unsigned k = (unsigned)(long)a, v;
	pthread_mutex_lock(&stripe[k % S]);
	v = table[k % size] + renamed; // RACE
	pthread_mutex_unlock(&stripe[k % S]);
	return (void *)(long)v;
}

int
main(int argc, char **argv)
{
	pthread_t t[4];
	for (int i = 0; i < S; i++)
		pthread_mutex_init(&stripe[i], NULL), pthread_mutex_init(&other[i], NULL);
	table = calloc(size, sizeof *table);
	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, reader, (void *)(i * argc));
	grow();
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
