/* The writer does not look whether there is a reader. */
#include <pthread.h>
#include <stdlib.h>

static int w, r, x, y;

static void
assume_abort_if_not(int cond)
{
	if (!cond)
		abort();
}
void
__VERIFIER_atomic_take_write_lock(void)
{
	assume_abort_if_not(w == 0);
	w = 1;
}
void
__VERIFIER_atomic_give_write_lock(void)
{
	w = 0;
}
void
__VERIFIER_atomic_take_read_lock(void)
{
	assume_abort_if_not(w == 0);
	r = r + 1;
}
void
__VERIFIER_atomic_give_read_lock(void)
{
	r = r - 1;
}
static void *
writer(void *arg)
{
	__VERIFIER_atomic_take_write_lock();
	x = 3; // RACE
	__VERIFIER_atomic_give_write_lock();
	return arg;
}
static void *
reader(void *arg)
{
	__VERIFIER_atomic_take_read_lock();
	y = x; // RACE
	__VERIFIER_atomic_give_read_lock();
	return arg;
}
int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return y;
}
