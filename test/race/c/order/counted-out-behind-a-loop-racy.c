/* Each worker counts itself out, and works on. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, sum = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int left, jobs = 40, total;

static int
take(void)
{
	int n;

	pthread_mutex_lock(&m);
	n = jobs > 0 ? jobs-- : 0;
	pthread_mutex_unlock(&m);
	return n;
}

static void
leave(void)
{
	pthread_mutex_lock(&m);
	left--; // NORACE
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&m);
}

static void
add(int n)
{
	pthread_mutex_lock(&sum);
	total += n; // RACE
	pthread_mutex_unlock(&sum);
}

static void *
worker(void *arg)
{
	int n;

	leave();
	while ((n = take()))
		add(n);
	return arg;
}

int
main(void)
{
	pthread_t t;

	left = 3;
	for (int i = 0; i < 3; i++) {
		pthread_create(&t, NULL, worker, NULL);
		pthread_detach(t);
	}
	pthread_mutex_lock(&m);
	while (left > 0)
		pthread_cond_wait(&changed, &m);
	pthread_mutex_unlock(&m);
	printf("%d\n", total); // RACE
	return 0;
}
