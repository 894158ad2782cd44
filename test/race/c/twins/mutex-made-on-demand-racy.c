/* The mutex itself is made on demand, without a lock. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *m;
static int n;

static void *
w(void *a)
{
	if (!m) { // RACE
		pthread_mutex_t *x = malloc(sizeof *x);
		pthread_mutex_init(x, NULL);
		m = x; // RACE
	}
	pthread_mutex_lock(m); // RACE
	n++;                   // RACE possible
	pthread_mutex_unlock(m);
	return a;
}

int
main(void)
{
	pthread_t x, y;
	pthread_create(&x, NULL, w, NULL);
	pthread_create(&y, NULL, w, NULL);
	pthread_join(x, NULL);
	pthread_join(y, NULL);
	return n;
}
