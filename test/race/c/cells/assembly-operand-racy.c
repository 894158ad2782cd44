/* Assembly that names a variable as its operand reads or writes it; atomically if it says so, which a plain access still races with. */
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
	SET(written);   // RACE
	ADD(counted);   // RACE
	ADD(added);     // NORACE
	return arg;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	written = 2;    // RACE
	counted = 2;    // RACE
	ADD(added);     // NORACE
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return 0;
}
