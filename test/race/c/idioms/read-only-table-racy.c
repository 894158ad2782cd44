/* A table that is filled before the threads start, and mended by one of them. */
#include <pthread.h>

static unsigned crc_table[256];

static void
fill(void)
{
	for (unsigned i = 0; i < 256; i++) {
		unsigned c = i;

		for (int k = 0; k < 8; k++)
			c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
		crc_table[i] = c; // NORACE
	}
}

static void *
checksum(void *arg)
{
	const unsigned char *p = arg;
	unsigned c = ~0u;

	if (crc_table[0]) // RACE
		crc_table[0] = 0; // RACE
	while (*p)
		c = crc_table[(c ^ *p++) & 255] ^ (c >> 8); // RACE
	return c ? arg : NULL;
}

int
main(void)
{
	static char one[] = "one", two[] = "two";
	pthread_t a, b;

	fill();
	pthread_create(&a, NULL, checksum, one);
	pthread_create(&b, NULL, checksum, two);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
