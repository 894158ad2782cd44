/* The lowest bit of a pointer says that it is marked; what it points to is written through the masked pointer. */
#include <pthread.h>
#include <stdint.h>

static struct node {
	struct node *next;
	int v;
} a, b;

static struct node *
unmark(struct node *p)
{
	return (struct node *)((uintptr_t)p & ~(uintptr_t)1);
}

static struct node *
mark(struct node *p)
{
	return (struct node *)((uintptr_t)p | 1);
}

static void *
w(void *x)
{
	unmark(a.next)->v = 1; // RACE
	return x;
}

int
main(void)
{
	pthread_t t;
	a.next = mark(&b); // NORACE
	pthread_create(&t, NULL, w, NULL);
	b.v = 2; // RACE
	pthread_join(t, NULL);
	return b.v; // NORACE
}
