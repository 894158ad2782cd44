/* One lock is for several buckets of a table. But one side takes another one. */
#include <pthread.h>
#include <stdlib.h>

#define BUCKETS 64
#define LOCKS 8

struct entry {
	struct entry *next;
	int key, value;
};

static struct entry *table[BUCKETS];
static pthread_mutex_t locks[LOCKS];

static void
put(int key, int value)
{
	unsigned b = (unsigned)key % BUCKETS;
	struct entry *e = malloc(sizeof *e);

	e->key = key;
	e->value = value;
	pthread_mutex_lock(&locks[b % LOCKS]);
	e->next = table[b]; // NORACE-LIKELY
	table[b] = e; // RACE
	pthread_mutex_unlock(&locks[b % LOCKS]);
}

static int
get(int key)
{
	unsigned b = (unsigned)key % BUCKETS;
	int value = 0;

	pthread_mutex_lock(&locks[b / LOCKS]);
	for (struct entry *e = table[b]; e; e = e->next) // RACE
		if (e->key == key)
			value = e->value;
	pthread_mutex_unlock(&locks[b / LOCKS]);
	return value;
}

static void *
worker(void *unused)
{
	for (int i = 0; i < 100; i++) {
		put(i, i);
		get(i + 1);
	}
	return unused;
}

int
main(void)
{
	pthread_t t[4];

	for (int i = 0; i < LOCKS; i++)
		pthread_mutex_init(&locks[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
