/* Workers count themselves out, and main, which waits until nobody is there, has counted them in; or
 * they count themselves in, too, and main waits for that first. */
#include <pthread.h>
#include <stdatomic.h>

static int running, data, number;
static atomic_int started, busy;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *
work(void *arg)
{
	pthread_mutex_lock(&m);
	data++; // NORACE-LIKELY
	running--;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return arg;
}

static void *
other(void *arg)
{
	atomic_fetch_add(&busy, 1);
	atomic_store(&started, 1);
	number = 1; // NORACE-LIKELY
	atomic_fetch_sub(&busy, 1);
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t t;

	for (int i = 0; i < argc; i++) {
		pthread_mutex_lock(&m);
		running++;
		pthread_mutex_unlock(&m);
		if (pthread_create(&t, NULL, work, NULL))
			return 1;
		pthread_detach(t);
	}
	if (pthread_create(&t, NULL, other, argv))
		return 1;
	pthread_mutex_lock(&m);
	while (running)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	while (!atomic_load(&started))
		;
	while (atomic_load(&busy) > 0)
		;
	return data + number; // NORACE-LIKELY
}
