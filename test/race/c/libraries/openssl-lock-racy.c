/* A lock of OpenSSL in an array of locks. But it is taken for reading only. */
#include <pthread.h>

typedef void CRYPTO_RWLOCK;
CRYPTO_RWLOCK *CRYPTO_THREAD_lock_new(void);
int CRYPTO_THREAD_read_lock(CRYPTO_RWLOCK *);
int CRYPTO_THREAD_write_lock(CRYPTO_RWLOCK *);
int CRYPTO_THREAD_unlock(CRYPTO_RWLOCK *);

static CRYPTO_RWLOCK *locks[2];
static int count;

static void *
worker(void *arg)
{
	CRYPTO_THREAD_read_lock(locks[1]);
	count++; // RACE
	CRYPTO_THREAD_unlock(locks[1]);
	return NULL;
}

int
main(void)
{
	pthread_t t, u;

	locks[0] = CRYPTO_THREAD_lock_new();
	locks[1] = CRYPTO_THREAD_lock_new();
	pthread_create(&t, NULL, worker, NULL);
	pthread_create(&u, NULL, worker, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return count; // NORACE
}
