/* Writers make a sequence number odd, one at a time; readers look at atomics only. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

typedef struct {
	_Atomic unsigned seq;
} SL;
SL s;
_Atomic int a, b;
int c;
unsigned
wlock(SL *s)
{
	for (;;) {
		unsigned v = atomic_load(&s->seq);
		if (!(v & 1) && atomic_compare_exchange_strong(&s->seq, &v, v + 1))
			return v + 1;
	}
}
void
wunlock(SL *s, unsigned v)
{
	atomic_store(&s->seq, v + 1);
}
void *
w(void *p)
{
	unsigned v = wlock(&s);
	a++;
	b++;
	c++; // NORACE
	wunlock(&s, v);
	return 0;
}
void *
r(void *p)
{
	unsigned v;
	int x, y, z = 0;
	do {
		do
			v = atomic_load(&s.seq);
		while (v & 1);
		x = a;
		y = b;
	} while (atomic_load(&s.seq) != v);
	assert(x == y);
	return (void *)(long)z;
}
int
main(void)
{
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, w, 0);
	pthread_create(&t2, 0, w, 0);
	pthread_create(&t3, 0, r, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	return 0;
}
