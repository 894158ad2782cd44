/* A stream without an allocator of the program's lies in a pool, beside a table of functions that would do for one. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
typedef struct z_stream_s {
	unsigned char *next_in; unsigned avail_in; unsigned long total_in;
	unsigned char *next_out; unsigned avail_out; unsigned long total_out;
	char *msg; void *state;
	void *(*zalloc)(void *, unsigned, unsigned);
	void (*zfree)(void *, void *);
	void *opaque; int data_type; unsigned long adler, reserved;
} z_stream;
int deflateInit_(z_stream *, int, const char *, int);
int deflateEnd(z_stream *);
static _Alignas(16) char pool[4096];
static size_t used;
static int total;
static void *count(void *p, unsigned n, unsigned m)
{
	total += (int)(n * m); // NORACE
	return p;
}
typedef void *(*counter)(void *, unsigned, unsigned);
static void *take(size_t size)
{
	used += (size + 15) & ~(size_t)15;
	return pool + used - size;
}
static void *work(void *arg)
{
	z_stream *z = arg;
	z->zalloc = NULL;
	z->zfree = NULL;
	if (!deflateInit_(z, 6, "1", (int)sizeof *z))
		deflateEnd(z);
	return NULL;
}
int main(void)
{
	pthread_t t;
	z_stream *z = take(sizeof(z_stream));
	counter *table = take(16 * sizeof(counter));
	for (int k = 0; k < 16; k++)
		table[k] = count;
	pthread_create(&t, NULL, work, z);
	table[8](NULL, 1, 1);
	pthread_join(t, NULL);
	return total;
}
