/* One stream, and one buffer for its results, are not for two threads at once. */
#include <pthread.h>
#include <stddef.h>

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
unsigned long crc32(unsigned long, const unsigned char *, unsigned);

static struct z_stream shared;
static unsigned char out[64];
static unsigned long sum;

static void *
work(void *arg)
{
	static unsigned char in[64];

	shared.next_in = in;   // RACE
	shared.next_out = out; // RACE
	deflate(&shared, 0);   // RACE
	return arg;
}

int
main(void)
{
	pthread_t t[2];

	deflateInit_(&shared, 6, "1", sizeof shared);
	pthread_create(&t[0], NULL, work, NULL);
	pthread_create(&t[1], NULL, work, NULL);
	sum = crc32(0, out, sizeof out); // RACE
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return (int)sum;
}
