/* A lock is tried; where that fails, the program leaves, or waits for it. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int contended;
static int hits, late, counted, noted;

static void try_count(void)
{
	if (pthread_mutex_trylock(&m) == EBUSY)
		return;
	hits++; // NORACE-LIKELY
	pthread_mutex_unlock(&m);
}

static void try_for(struct timespec *until)
{
	int rc = pthread_mutex_timedlock(&m, until);

	if (rc == ETIMEDOUT)
		return;
	late++; // NORACE-LIKELY
	pthread_mutex_unlock(&m);
}

static void try_then_wait(void)
{
	if (pthread_mutex_trylock(&m) != 0) {
		contended++;
		pthread_mutex_lock(&m);
	}
	counted++; // NORACE-LIKELY
	pthread_mutex_unlock(&m);
}

static void try_and_note(void)
{
	int rc = pthread_mutex_trylock(&m), locked = 0;

	if (rc == 0)
		locked = 1;
	else
		contended++;
	if (locked) {
		noted++; // NORACE-LIKELY
		pthread_mutex_unlock(&m);
	}
}

static void *work(void *arg)
{
	struct timespec until = {0, 0};

	for (int i = 0; i < 10; i++) {
		try_count();
		try_for(&until);
		try_then_wait();
		try_and_note();
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, 0, work, 0);
	pthread_create(&b, 0, work, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return hits + late + counted + noted;
}
