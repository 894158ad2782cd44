/* Whether the lock is taken and whether the value is changed are decided apart. */
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *
thread(void *arg)
{
	if (__VERIFIER_nondet_int()) {
		pthread_mutex_lock(&m);
		data++; // RACE
		pthread_mutex_unlock(&m);
	} else if (__VERIFIER_nondet_int()) {
		data++; // RACE
	}
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, 0, thread, 0);
	pthread_create(&b, 0, thread, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
