/* A hash table with a lock for each bucket: functions that its holder calls find the entry, and change it. But it holds
 * another bucket's lock. */
#include <pthread.h>
#include <stdlib.h>

enum { BUCKETS = 32 };

struct entry {
	int key, hits;
	struct entry *next;
};

static struct entry *table[BUCKETS];
static pthread_mutex_t locks[BUCKETS];

static struct entry *
find(struct entry *e, int key)
{
	while (e && e->key != key)
		e = e->next;
	return e;
}

static void
hit(struct entry *e)
{
	e->hits++; // RACE
}

static void
age(struct entry **head)
{
	for (struct entry *e = *head; e; e = e->next)
		e->hits /= 2; // RACE
}

static void
put(unsigned h, int key)
{
	struct entry *e = malloc(sizeof *e);

	if (!e)
		return;
	e->key = key;
	e->hits = 0;
	pthread_mutex_lock(&locks[h]);
	e->next = table[h];
	table[h] = e;
	pthread_mutex_unlock(&locks[h]);
}

static void *
worker(void *arg)
{
	for (int i = 0; i < 1000; i++) {
		unsigned h = (unsigned)rand() % BUCKETS;
		unsigned other = (unsigned)rand() % BUCKETS;
		struct entry *e;
		put(h, i);
		pthread_mutex_lock(&locks[other]);
		e = find(table[h], i);
		if (e)
			hit(e);
		age(&table[h]);
		pthread_mutex_unlock(&locks[other]);
	}
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	for (int i = 0; i < BUCKETS; i++)
		pthread_mutex_init(&locks[i], NULL);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
