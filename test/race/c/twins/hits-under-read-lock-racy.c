/* A cache looked up under the read lock, and its hit counter counted there. */
#include <pthread.h>
#include <string.h>

struct entry {
	char key[16];
	int val;
	unsigned hits;
};
static struct entry cache[8];
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static int
get(const char *k)
{
	int v = -1;
	pthread_rwlock_rdlock(&l);
	for (int i = 0; i < 8; i++)
		if (!strcmp(cache[i].key, k)) { // NORACE
			cache[i].hits++;        // RACE
			v = cache[i].val;       // NORACE
		}
	pthread_rwlock_unlock(&l);
	return v;
}

static void
put(const char *k, int v)
{
	pthread_rwlock_wrlock(&l);
	strncpy(cache[v % 8].key, k, 15); // NORACE
	cache[v % 8].val = v;             // NORACE
	pthread_rwlock_unlock(&l);
}

static void *
w(void *a)
{
	get(a);
	put(a, 3);
	return NULL;
}

int
main(void)
{
	pthread_t x, y;
	pthread_create(&x, NULL, w, "a");
	pthread_create(&y, NULL, w, "b");
	pthread_join(x, NULL);
	pthread_join(y, NULL);
	return 0;
}
