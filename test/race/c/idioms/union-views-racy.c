/* One thread writes a union as a word, another reads a byte of it. */
#include <pthread.h>
#include <stdint.h>

static union {
	uint64_t word;
	uint32_t half[2];
	uint8_t byte[8];
} reg;

static void *
write_it(void *arg)
{
	reg.word = 1; // RACE
	return arg;
}

static void *
read_it(void *arg)
{
	return reg.byte[6] ? arg : NULL; // RACE
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, write_it, NULL);
	pthread_create(&b, NULL, read_it, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
