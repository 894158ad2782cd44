/* While a thread waits for a condition, others change the flags that it had found under the lock: two
 * meet, the last lets the first go on, and what each stores behind that the other reads. */
#include <pthread.h>
#include <stdbool.h>

static int come, left;
static bool leaving;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t in = PTHREAD_COND_INITIALIZER, out = PTHREAD_COND_INITIALIZER;
static bool last[2];
static int sum[2];

static bool
meet(void)
{
	pthread_mutex_lock(&m);
	while (leaving)
		pthread_cond_wait(&in, &m);
	if (++come == 2) {
		left = 1;
		leaving = true;
		come = 0;
		pthread_cond_broadcast(&out);
		pthread_mutex_unlock(&m);
		return true;
	}
	while (!leaving)
		pthread_cond_wait(&out, &m);
	if (--left == 0) {
		leaving = false;
		pthread_cond_broadcast(&in);
	}
	pthread_mutex_unlock(&m);
	return false;
}

static void *
work(void *arg)
{
	long n = (long)arg;

	last[n] = meet();         // RACE
	sum[n] = last[1 - n] + 1; // RACE
	return NULL;
}

int
main(void)
{
	pthread_t t;

	if (pthread_create(&t, NULL, work, (void *)1))
		return 1;
	work((void *)0);
	pthread_join(t, NULL);
	return sum[0];
}
