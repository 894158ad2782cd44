/* Two readers and two writers, kept apart by two counters that atomic functions assume and change. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

static void
assume_abort_if_not(int c)
{
	if (!c)
		abort();
}
int w = 0, r = 0, x, y;
void
__VERIFIER_atomic_take_write_lock(void)
{
	assume_abort_if_not(w == 0 && r == 0);
	w = 1;
}
void
__VERIFIER_atomic_take_read_lock(void)
{
	assume_abort_if_not(w == 0);
	r = r + 1;
}
void
__VERIFIER_atomic_release_read(void)
{
	r = r - 1;
}
void
__VERIFIER_atomic_release_write(void)
{
	w = 0;
}
void *
writer(void *a)
{
	__VERIFIER_atomic_take_write_lock();
	x = 3; // NORACE
	__VERIFIER_atomic_release_write();
	return 0;
}
void *
reader(void *a)
{
	int l;
	__VERIFIER_atomic_take_read_lock();
	l = x; // NORACE
	assert(l == x);
	__VERIFIER_atomic_release_read();
	return 0;
}
int
main(void)
{
	pthread_t t1, t2, t3, t4;
	pthread_create(&t1, 0, writer, 0);
	pthread_create(&t2, 0, reader, 0);
	pthread_create(&t3, 0, writer, 0);
	pthread_create(&t4, 0, reader, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	pthread_join(t4, 0);
	return 0;
}
