/* Code for sizes that the compiler knows is an alternative to the code behind it: here one of them allocates. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *lock;
static int count;

static inline void *
make(size_t n)
{
	if (__builtin_constant_p(n))
		return n < 64 ? calloc(1, n) : malloc(n);
	return malloc(n);
}

static void *
work(void *arg)
{
	pthread_mutex_lock(lock);
	count++; // NORACE
	pthread_mutex_unlock(lock);
	return arg;
}

int
main(void)
{
	pthread_t t;

	lock = make(sizeof *lock);
	pthread_mutex_init(lock, 0);
	pthread_create(&t, 0, work, 0);
	work(0);
	pthread_join(t, 0);
	return 0;
}
