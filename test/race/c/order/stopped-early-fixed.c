/* Creating stops before its time, before the round's create: only those below the counter are
 * there to be joined. */
#include <pthread.h>
#include <stdbool.h>

enum { MOST = 6 };

static int sold;
static bool sold_out;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *
sell(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	if (++sold > 3) // NORACE
		sold_out = true;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int
main(void)
{
	pthread_t t[MOST];
	int n;

	for (n = 0; n < MOST; n++) {
		bool stop;
		pthread_mutex_lock(&lock);
		stop = sold_out;
		pthread_mutex_unlock(&lock);
		if (stop)
			break;
		pthread_create(&t[n], NULL, sell, NULL);
	}
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	return sold; // NORACE
}
