/* A function chooses one of two locks by its argument, but both kinds touch one total. */
#include <pthread.h>

enum kind { READS, WRITES };

static pthread_mutex_t reads_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t writes_lock = PTHREAD_MUTEX_INITIALIZER;
static int reads;

static pthread_mutex_t *
lock_of(enum kind k)
{
	if (k == READS)
		return &reads_lock;
	return &writes_lock;
}

static void *
on_read(void *arg)
{
	pthread_mutex_t *m = lock_of(READS);

	pthread_mutex_lock(m);
	reads++; // RACE
	pthread_mutex_unlock(m);
	return arg;
}

static void *
on_write(void *arg)
{
	pthread_mutex_t *m = lock_of(WRITES);

	pthread_mutex_lock(m);
	reads++; // RACE
	pthread_mutex_unlock(m);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, on_read, NULL);
	pthread_create(&b, NULL, on_write, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return reads;
}
