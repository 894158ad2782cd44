/* An atomic struct of two words is loaded and stored as a whole, by calls of the library. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	int value;
};

struct head {
	struct node *first;
	long tag;
};

static _Atomic struct head list;

static void *
worker(void *arg)
{
	struct head h = list, empty = {NULL, 2}; // NORACE

	list = empty;				     // NORACE
	atomic_compare_exchange_strong(&list, &h, empty); // NORACE
	h = atomic_exchange(&list, empty);		  // NORACE
	return arg;
}

int
main(void)
{
	struct head h = {malloc(sizeof(struct node)), 1};
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	h.tag++;
	list = h; // NORACE
	pthread_join(t, NULL);
	return 0;
}
