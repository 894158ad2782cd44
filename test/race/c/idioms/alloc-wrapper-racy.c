/* Both threads get their buffer from a wrapper, but share one through a global. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
	size_t used;
	char data[64];
};

static struct buffer *common;

static void *
xcalloc(size_t n)
{
	void *p = calloc(1, n);

	if (!p)
		abort();
	return p;
}

static void *
fill(void *arg)
{
	struct buffer *b = common;

	b->used = 3; // RACE
	memcpy(b->data, "abc", 3); // RACE
	return arg;
}

int
main(void)
{
	pthread_t a, b;
	struct buffer *own = xcalloc(sizeof *own);

	common = own;
	own->used = 0; // NORACE
	pthread_create(&a, NULL, fill, NULL);
	pthread_create(&b, NULL, fill, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(own); // NORACE
	return 0;
}
