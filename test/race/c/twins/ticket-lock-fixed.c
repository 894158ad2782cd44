/* A lock by tickets: who draws a number waits until it is served. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>

typedef struct {
	_Atomic unsigned next, owner;
} ticketlock_t;
ticketlock_t lock;
unsigned cs_x, cs_y;
static inline void
ticketlock_acquire(ticketlock_t *l)
{
	unsigned t = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);
	while (atomic_load_explicit(&l->owner, memory_order_acquire) != t)
		;
}
static inline void
ticketlock_release(ticketlock_t *l)
{
	unsigned o = atomic_load_explicit(&l->owner, memory_order_relaxed);
	atomic_store_explicit(&l->owner, o + 1, memory_order_release);
}
void *
run(void *a)
{
	ticketlock_acquire(&lock);
	cs_x++; // NORACE
	ticketlock_release(&lock);
	return 0;
}
int
main(void)
{
	pthread_t t[3];
	for (size_t i = 0; i < 3; i++)
		pthread_create(&t[i], 0, run, (void *)i);
	for (size_t i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	assert(cs_x == 3);
	return 0;
}
