/* A spin lock that looks at its word, and is let go of by a plain volatile store, which orders nothing. */
#include <pthread.h>

static volatile int word;
static int value;

static void lock(void)
{
	while (__sync_lock_test_and_set(&word, 1)) // RACE possible
		while (word)
			;
}

static void unlock(void)
{
	word = 0; // RACE possible
}

static void *work(void *arg)
{
	lock();
	value++; // RACE
	unlock();
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, 0, work, 0);
	pthread_create(&b, 0, work, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return value;
}
