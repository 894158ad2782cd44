/* Striped locks: the number of the lock is computed from that of the cell, or both are remainders of one hash. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define STRIPES 8
#define CELLS 64

struct cache {
	pthread_rwlock_t locks[STRIPES];
	long *objects[CELLS];
};

static pthread_mutex_t stripe[STRIPES];
static uint64_t cell[CELLS], sum[CELLS], part[CELLS];
static struct cache *cache;

static uint32_t mix(uint32_t x)
{
	x ^= x >> 16;
	x *= 0x7feb352d;
	return x ^ x >> 15;
}

static void add(uint32_t key)
{
	uint32_t h = mix(key);
	pthread_mutex_t *l = &stripe[h & (STRIPES - 1)];

	pthread_mutex_lock(l);
	cell[h & (CELLS - 1)] += key; // NORACE
	pthread_mutex_unlock(l);
	pthread_mutex_lock(&stripe[h % STRIPES]);
	sum[h % CELLS]++; // NORACE
	pthread_mutex_unlock(&stripe[h % STRIPES]);
	h &= CELLS - 1;
	pthread_mutex_lock(&stripe[(h >> 3) & (STRIPES - 1)]);
	part[h]++; // NORACE
	pthread_mutex_unlock(&stripe[(h >> 3) & (STRIPES - 1)]);
}

#define LOCK_FOR(n) (&cache->locks[(n) % STRIPES])

static long *look(unsigned n)
{
	long *o;

	pthread_rwlock_rdlock(LOCK_FOR(n));
	o = cache->objects[n]; // NORACE
	pthread_rwlock_unlock(LOCK_FOR(n));
	return o;
}

static void set(unsigned n, long *o)
{
	pthread_rwlock_wrlock(LOCK_FOR(n));
	cache->objects[n] = o; // NORACE
	pthread_rwlock_unlock(LOCK_FOR(n));
}

static void *work(void *arg)
{
	unsigned seed = (unsigned)(uintptr_t)arg;

	for (int i = 0; i < 1000; i++) {
		unsigned n = (unsigned)rand_r(&seed) % CELLS;
		add(n);
		if (!look(n))
			set(n, malloc(sizeof(long)));
	}
	return arg;
}

int main(void)
{
	pthread_t t[3];

	cache = calloc(1, sizeof *cache);
	for (int i = 0; i < STRIPES; i++) {
		pthread_mutex_init(&stripe[i], 0);
		pthread_rwlock_init(&cache->locks[i], 0);
	}
	for (uintptr_t i = 0; i < 3; i++)
		pthread_create(&t[i], 0, work, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	return 0;
}
