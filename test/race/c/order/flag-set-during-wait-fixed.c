/* Two meet, and the last lets the first go on: what each stores before that the other reads behind
 * it. */
#include <pthread.h>
#include <stdbool.h>

static int come, left;
static bool leaving;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t in = PTHREAD_COND_INITIALIZER, out = PTHREAD_COND_INITIALIZER;
static bool here[2], last[2];
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

	here[n] = true;           // NORACE
	last[n] = meet();         // NORACE
	sum[n] = here[1 - n] + 1; // NORACE
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
