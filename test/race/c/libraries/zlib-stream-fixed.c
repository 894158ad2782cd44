/* A stream and buffers of each thread's own; the library keeps none of them. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

struct z_stream {
	const unsigned char *next_in;
	unsigned avail_in;
	unsigned long total_in;
	unsigned char *next_out;
	unsigned avail_out;
	unsigned long total_out;
	const char *msg;
	void *state;
	void *(*zalloc)(void *, unsigned, unsigned);
	void (*zfree)(void *, void *);
	void *opaque;
	int data_type;
	unsigned long adler, reserved;
};
int deflateInit_(struct z_stream *, int, const char *, int);
int deflate(struct z_stream *, int);
int deflateEnd(struct z_stream *);
unsigned long crc32(unsigned long, const unsigned char *, unsigned);

static unsigned char in[64];

static void *
work(void *arg)
{
	struct z_stream z = {0};
	unsigned char *out = malloc(64);
	unsigned long sum;

	deflateInit_(&z, 6, "1", sizeof z);
	z.next_in = in;
	z.next_out = out;
	deflate(&z, 0);            // NORACE
	sum = crc32(0, out, 64);   // NORACE
	out[0] = (unsigned char)1; // NORACE
	deflateEnd(&z);
	free(out);
	return sum ? arg : NULL;
}

int
main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, work, NULL);
	pthread_create(&t[1], NULL, work, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
