/* Copy, change, swap the pointer atomically; the old one is freed when the reader has ended. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct conf {
	int level;
};
static _Atomic(struct conf *) cur;

static void *
reader(void *a)
{
	struct conf *c = atomic_load(&cur);
	return (void *)(long)c->level; // NORACE
}

int
main(void)
{
	pthread_t t;
	struct conf *n, *old;
	n = malloc(sizeof *n);
	n->level = 1; // NORACE
	atomic_store(&cur, n);
	pthread_create(&t, NULL, reader, NULL);
	n = malloc(sizeof *n);
	n->level = 2; // NORACE
	old = atomic_exchange(&cur, n);
	pthread_join(t, NULL);
	free(old); // NORACE
	return 0;
}
