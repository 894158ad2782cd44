/* A lock of slots, at which nobody waits. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>

#define LEN 4
typedef struct {
	_Atomic unsigned char tail;
	struct {
		_Atomic unsigned f;
	} flags[LEN];
} AL;
AL l;
unsigned x;
void
acq(AL *l, unsigned *slot)
{
	*slot = atomic_fetch_add(&l->tail, 1) % LEN;
}
void
rel(AL *l, unsigned slot)
{
	atomic_store_explicit(&l->flags[slot].f, 0, memory_order_relaxed);
	atomic_store_explicit(&l->flags[(slot + 1) % LEN].f, 1, memory_order_release);
}
void *
run(void *a)
{
	unsigned s;
	acq(&l, &s);
	x++; // RACE
	rel(&l, s);
	return 0;
}
int
main(void)
{
	pthread_t t[3];
	l.flags[0].f = 1;
	for (size_t i = 0; i < 3; i++)
		pthread_create(&t[i], 0, run, (void *)i);
	for (size_t i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	assert(x == 3);
	return 0;
}
