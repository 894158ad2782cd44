/* Objects in a container are used under the container's lock. */
#include <pthread.h>
#include <stdlib.h>

struct entry {
	struct entry *next;
	int key, hits;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct entry *table[16];

static struct entry *
find(int key)
{
	struct entry *e = table[key & 15];

	while (e && e->key != key)
		e = e->next;
	return e;
}

static void *
hit(void *arg)
{
	struct entry *e;

	pthread_mutex_lock(&m);
	e = find((int)(long)arg);
	if (e)
		e->hits++; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *
add(void *arg)
{
	struct entry *e = calloc(1, sizeof *e);

	if (!e)
		return NULL;
	e->key = (int)(long)arg;
	pthread_mutex_lock(&m);
	e->next = table[e->key & 15];
	table[e->key & 15] = e;
	pthread_mutex_unlock(&m);
	return NULL;
}

int
main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, add, (void *)1);
	pthread_create(&b, NULL, hit, (void *)1);
	pthread_create(&c, NULL, hit, (void *)1);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
