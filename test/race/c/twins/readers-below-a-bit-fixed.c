/* A read-write lock in one word: a bit for the writer, the readers counted below it. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

typedef struct {
	_Atomic unsigned v;
} RW;
#define W 0x40000000u
RW l;
int x, y;
void
wacq(RW *l)
{
	unsigned z = 0;
	while (!atomic_compare_exchange_weak(&l->v, &z, W))
		z = 0;
}
void
wrel(RW *l)
{
	atomic_store(&l->v, 0);
}
void
racq(RW *l)
{
	for (;;) {
		unsigned o = atomic_load(&l->v);
		if (!(o & W) && atomic_compare_exchange_weak(&l->v, &o, o + 1))
			return;
	}
}
void
rrel(RW *l)
{
	atomic_fetch_sub(&l->v, 1);
}
void *
w(void *a)
{
	wacq(&l);
	x++; // NORACE
	y++; // NORACE
	wrel(&l);
	return 0;
}
void *
r(void *a)
{
	racq(&l);
	assert(x == y); // NORACE
	rrel(&l);
	return 0;
}
int
main(void)
{
	pthread_t a, b, c;
	pthread_create(&a, 0, w, 0);
	pthread_create(&b, 0, w, 0);
	pthread_create(&c, 0, r, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(c, 0);
	return 0;
}
