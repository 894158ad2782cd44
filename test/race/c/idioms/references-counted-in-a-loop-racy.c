/* References are taken in a loop that starts the readers; who drops the last one frees the buffer, which the
 * readers walk through. But they have dropped their own reference before. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct buf {
	atomic_int refs;
	size_t len;
	char *data;
};

static void drop(struct buf *b)
{
	if (atomic_fetch_sub_explicit(&b->refs, 1, memory_order_acq_rel) == 1) {
		free(b->data); // RACE
		free(b); // RACE
	}
}

static void *reader(void *p)
{
	struct buf *b = p;
	size_t n = 0;

	drop(b);
	for (size_t i = 0; i < b->len; i++) // RACE
		n += b->data[i]; // RACE
	return (void *)n;
}

int main(void)
{
	pthread_t t[2];
	struct buf *b = malloc(sizeof *b);

	atomic_init(&b->refs, 1);
	b->len = 100;
	b->data = calloc(b->len, 1);
	for (int i = 0; i < 2; i++) {
		atomic_fetch_add_explicit(&b->refs, 1, memory_order_relaxed);
		pthread_create(&t[i], 0, reader, b);
	}
	drop(b);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	return 0;
}
