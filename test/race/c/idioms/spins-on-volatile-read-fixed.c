/* A spin lock that looks at its word by plain volatile reads between its atomic attempts. */
#include <pthread.h>

static volatile int word;
static int value;

static void lock(void)
{
	while (__sync_lock_test_and_set(&word, 1)) // NORACE-LIKELY
		while (word) // NORACE-LIKELY
			;
}

static void unlock(void)
{
	__sync_lock_release(&word); // NORACE-LIKELY
}

static void *work(void *arg)
{
	lock();
	value++; // NORACE
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
