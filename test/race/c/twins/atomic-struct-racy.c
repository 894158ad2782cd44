/* A node that a pointer in an atomic struct of two words leads to is not atomic itself, nor is
 * a struct that only one side accesses atomically. */
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
static struct head plain;

static void *
worker(void *arg)
{
	struct head h = list, other = {NULL, 2};

	h.first->value++;			      // RACE
	__atomic_store(&plain, &other, __ATOMIC_SEQ_CST); // RACE
	return arg;
}

int
main(void)
{
	struct head h = {malloc(sizeof(struct node)), 1};
	pthread_t t;

	list = h;
	pthread_create(&t, NULL, worker, NULL);
	h = list;
	h.first->value++; // RACE
	plain = h;	  // RACE
	pthread_join(t, NULL);
	return 0;
}
