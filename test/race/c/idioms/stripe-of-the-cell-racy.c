/* Striped locks: the number of the lock is computed from another part of the hash than the cell's, or by a number
 * that does not divide the cells', or in two ways, or from a number that has changed since. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define STRIPES 8
#define CELLS 64

static pthread_mutex_t stripe[STRIPES];
static uint64_t other[CELLS], prime[CELLS], ways[CELLS], moved[CELLS], masked[CELLS], maybe[CELLS];
static int64_t cut[256];

static uint32_t mix(uint32_t x)
{
	x ^= x >> 16;
	x *= 0x7feb352d;
	return x ^ x >> 15;
}

static void add(uint32_t key, int first)
{
	uint32_t h = mix(key);
	unsigned n = 0;

	pthread_mutex_lock(&stripe[h & (STRIPES - 1)]);
	other[(h >> 8) & (CELLS - 1)]++; // RACE
	prime[h % 61]++;                 // RACE
	masked[h & 4]++;                 // RACE
	cut[(unsigned char)(h >> 1)]++;  // RACE
	pthread_mutex_unlock(&stripe[h & (STRIPES - 1)]);
	h &= CELLS - 1;
	if (first)
		n = h & (STRIPES - 1);
	else
		n = (h >> 3) & (STRIPES - 1);
	pthread_mutex_lock(&stripe[n]);
	ways[h]++; // RACE possible
	pthread_mutex_unlock(&stripe[n]);
	pthread_mutex_lock(&stripe[h % STRIPES]);
	moved[(h + 1) % CELLS]++; // RACE possible
	moved[h]++; // RACE possible
	pthread_mutex_unlock(&stripe[h % STRIPES]);
	for (int i = 0; i < 2; i++) {
		unsigned k = (unsigned)rand() % CELLS;
		if (!i) {
			n = k % STRIPES;
			pthread_mutex_lock(&stripe[n]);
		}
		maybe[k]++; // RACE
	}
	pthread_mutex_unlock(&stripe[n]);
}

static void *work(void *arg)
{
	for (uint32_t i = 0; i < 1000; i++)
		add(i, i & 1);
	return arg;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < STRIPES; i++)
		pthread_mutex_init(&stripe[i], 0);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], 0, work, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	return 0;
}
