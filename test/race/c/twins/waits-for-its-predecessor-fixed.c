/* A lock whose waiters stand in a queue: each spins on the word of the one before it. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>

typedef struct {
	_Atomic unsigned locked;
} QN;
typedef struct {
	QN *pred, *node;
	QN init;
} CN;
typedef struct {
	_Atomic(QN *) tail;
	QN initial;
} Lock;
Lock lock;
CN nodes[3];
unsigned cs_x, cs_y;
void
acquire(Lock *l, CN *n)
{
	atomic_store_explicit(&n->node->locked, 1, memory_order_relaxed);
	n->pred = atomic_exchange(&l->tail, n->node);
	while (atomic_load_explicit(&n->pred->locked, memory_order_acquire))
		;
}
void
release(CN *n)
{
	QN *t = n->node;
	n->node = n->pred;
	atomic_store_explicit(&t->locked, 0, memory_order_release);
}
void *
run(void *a)
{
	size_t id = (size_t)a;
	acquire(&lock, &nodes[id]);
	cs_x++;
	cs_y++; // NORACE
	release(&nodes[id]);
	return 0;
}
int
main(void)
{
	pthread_t t[3];
	lock.initial.locked = 0;
	lock.tail = &lock.initial;
	for (int i = 0; i < 3; i++) {
		nodes[i].init.locked = 0;
		nodes[i].node = &nodes[i].init;
		nodes[i].pred = 0;
	}
	for (size_t i = 0; i < 3; i++)
		pthread_create(&t[i], 0, run, (void *)i);
	for (size_t i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	assert(cs_x == cs_y && cs_x == 3);
	return 0;
}
