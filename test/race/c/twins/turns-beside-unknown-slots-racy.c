/* Two threads count in unknown slots of a table that has a lock, but do not wait for their turn. */
#include <pthread.h>
#include <stdatomic.h>

extern unsigned __VERIFIER_nondet_uint(void);

static atomic_int turn;
static int slot[64], value;
static int *last;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void
count(void)
{
	unsigned k = __VERIFIER_nondet_uint() % 64;

	pthread_mutex_lock(&m);
	slot[k]++; // NORACE
	last = &slot[slot[k] & 63]; // NORACE
	pthread_mutex_unlock(&m);
}

static void *
first(void *arg)
{
	for (int i = 0; i < 2; i++) {
			;
		count();
		value = i; // RACE
		atomic_store(&turn, 1);
	}
	return arg;
}

static void *
second(void *arg)
{
	for (int i = 0; i < 2; i++) {
		while (atomic_load(&turn) != 1)
			;
		value += i; // RACE
		count();
		atomic_store(&turn, 0);
	}
	return arg;
}

int
main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, first, NULL);
	pthread_create(&u, NULL, second, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
