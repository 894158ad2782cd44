/* As passed-by-holder-fixed.c, but the first element is looked at without the lock, too. */
#include <pthread.h>
#include <stdlib.h>

struct entry {
	int key, hits;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry table[8];

static int
matches(struct entry *e, int key)
{
	e->hits++; // RACE
	return e->key == key; // RACE
}

static int
deeper(struct entry *e, int key)
{
	return matches(e, key) && key;
}

static void
forget(struct entry *e)
{
	e->key = 0; // RACE
}

static int
look_up(int key)
{
	int found = 0;

	pthread_mutex_lock(&lock);
	for (int i = 0; i < 8; i++)
		found |= deeper(&table[i], key);
	forget(&table[key & 7]);
	table[key & 7].key = key; // RACE
	pthread_mutex_unlock(&lock);
	return found;
}

static void *
serve(void *arg)
{
	struct entry *own = calloc(1, sizeof *own);

	if (!deeper(own, 3) && !deeper(&table[3], 3))
		look_up(3);
	forget(own);
	free(own);
	return arg;
}

int
main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, serve, NULL);
	pthread_create(&t[1], NULL, serve, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
