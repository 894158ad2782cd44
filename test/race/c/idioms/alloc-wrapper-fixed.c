/* Both threads get their buffers from one allocation wrapper: two buffers all the same. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
	size_t used;
	char data[64];
};


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
	struct buffer *b = xcalloc(sizeof *b);

	b->used = 3; // NORACE
	memcpy(b->data, "abc", 3); // NORACE
	free(b); // NORACE
	return arg;
}

int
main(void)
{
	pthread_t a, b;
	struct buffer *own = xcalloc(sizeof *own);

	own->used = 0; // NORACE
	pthread_create(&a, NULL, fill, NULL);
	pthread_create(&b, NULL, fill, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(own); // NORACE
	return 0;
}
