/* One thread writes the first half of a word, another reads a byte of the second. */
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
	reg.half[0] = 1; // NORACE
	return arg;
}

static void *
read_it(void *arg)
{
	return reg.byte[6] ? arg : NULL; // NORACE
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
