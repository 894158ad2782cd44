/* A lock is tried, the program sees that it has failed, and goes on to what the lock is for all the same. */
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int skipped, hits, late, counted;

static void try_count(void)
{
	if (pthread_mutex_trylock(&m) == EBUSY) {
		skipped++; // RACE
		return;
	}
	hits++;
	pthread_mutex_unlock(&m);
}

static void try_for(struct timespec *until)
{
	int rc = pthread_mutex_timedlock(&m, until);

	if (rc && rc != ETIMEDOUT)
		return;
	late++; // RACE
	pthread_mutex_unlock(&m);
}

static void try_and_note(int *failures)
{
	int rc = pthread_mutex_trylock(&m);

	if (rc != 0)
		++*failures;
	counted++; // RACE
	if (rc == 0)
		pthread_mutex_unlock(&m);
}

static void *work(void *arg)
{
	struct timespec until = {0, 0};
	int failures = 0;

	for (int i = 0; i < 10; i++) {
		try_count();
		try_for(&until);
		try_and_note(&failures);
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
	return skipped + hits + late + counted;
}
