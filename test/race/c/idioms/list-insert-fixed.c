/* A node is completed outside the lock and linked in under it. */
#include <pthread.h>
#include <stdlib.h>

struct entry {
	struct entry *next;
	int key;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *entries;

static void
insert(int key)
{
	struct entry *e = malloc(sizeof *e);

	if (!e)
		abort();
	e->key = key; // NORACE
	pthread_mutex_lock(&lock);
	e->next = entries; // NORACE
	entries = e; // NORACE
	pthread_mutex_unlock(&lock);
}

static int
contains(int key)
{
	int found = 0;

	pthread_mutex_lock(&lock);
	for (struct entry *e = entries; e; e = e->next) // NORACE
		found |= e->key == key; // NORACE
	pthread_mutex_unlock(&lock);
	return found;
}

static void *
worker(void *arg)
{
	insert(7);
	return contains(8) ? arg : NULL;
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
