/* Workers count themselves in and out, and main waits until nobody is there: it may be there before
 * any of them. */
#include <pthread.h>
#include <stdatomic.h>

static int running, data, number;
static atomic_int busy;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *
work(void *arg)
{
	pthread_mutex_lock(&m);
	running++;
	pthread_mutex_unlock(&m);
	data = 1; // RACE
	pthread_mutex_lock(&m);
	running--;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return arg;
}

static void *
other(void *arg)
{
	atomic_fetch_add(&busy, 1);
	number = 1; // RACE
	atomic_fetch_sub(&busy, 1);
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t t;

	for (int i = 0; i < argc; i++) {
		if (pthread_create(&t, NULL, work, NULL))
			return 1;
		pthread_detach(t);
		if (pthread_create(&t, NULL, other, argv))
			return 1;
		pthread_detach(t);
	}
	pthread_mutex_lock(&m);
	while (running)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	while (atomic_load(&busy) > 0)
		;
	return data + number; // RACE
}
