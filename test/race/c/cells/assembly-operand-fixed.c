/* Assembly that names a variable as its operand reads or writes it, under the lock here. */
#include <pthread.h>

static int written, counted, added;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

#ifdef __x86_64__
#define SET(x) __asm__ volatile("movl $1,%0" : "=m"(x))
#define ADD(x) __asm__ volatile("lock; addl $1,%0" : "+m"(x))
#else
#define SET(x) ((x) = 1)
#define ADD(x) ((void)__atomic_fetch_add(&(x), 1, __ATOMIC_RELAXED))
#endif

static void *
worker(void *arg)
{
	pthread_mutex_lock(&m);
	SET(written);   // NORACE
	ADD(counted);   // NORACE
	pthread_mutex_unlock(&m);
	ADD(added);     // NORACE
	return arg;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	pthread_mutex_lock(&m);
	written = 2;    // NORACE
	counted = 2;    // NORACE
	pthread_mutex_unlock(&m);
	ADD(added);     // NORACE
	return 0;
}
