/* Vector instructions with a mask, or with indices, touch what they are given, and call nothing back. */
// FLAGS: -- -mavx2
#include <immintrin.h>
#include <pthread.h>

static int table[64], shared[8], own[8], hooked;
static void (*hook)(void);

static void
on_hook(void)
{
	hooked++; // NORACE
}

void
set_hook(void (*f)(void))
{
	hook = f;
}

static void *
worker(void *arg)
{
	__m256i mask = _mm256_set1_epi32(-1), v;

	(void)arg;
	v = _mm256_maskload_epi32(shared, mask); // RACE
	_mm256_maskstore_epi32(shared, mask, v); // RACE
	v = _mm256_i32gather_epi32(table, v, 4); // RACE
	return NULL;
}

int
main(void)
{
	__m256i mask = _mm256_set1_epi32(-1), v;
	pthread_t t;

	set_hook(on_hook);
	hooked++; // NORACE
	pthread_create(&t, NULL, worker, NULL);
	v = _mm256_maskload_epi32(own, mask); // NORACE
	_mm256_maskstore_epi32(own, mask, v); // NORACE
	table[3] = 1;                         // RACE
	shared[1] = 2;                        // RACE
	pthread_join(t, NULL);
	_mm256_maskstore_epi32(shared, mask, v); // NORACE
	hook();
	return table[0];
}
