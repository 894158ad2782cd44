/* Copy, change, swap the pointer atomically, and free the old one at once while readers may use it. */
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
	return (void *)(long)c->level; // RACE
}

int
main(void)
{
	pthread_t t;
	struct conf *n, *old;
	n = malloc(sizeof *n);
	n->level = 1;
	atomic_store(&cur, n);
	pthread_create(&t, NULL, reader, NULL);
	n = malloc(sizeof *n);
	n->level = 2; // NORACE
	old = atomic_exchange(&cur, n);
	free(old); // RACE
	pthread_join(t, NULL);
	return 0;
}
