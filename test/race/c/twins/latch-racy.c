/* Main looks whether all have counted themselves in, and goes on anyhow. */
#include <pthread.h>

#define N 2
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done, data[N];
static void *
work(void *arg)
{
	data[(long)arg] = 1; // RACE
	pthread_mutex_lock(&m);
	done++;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&m);
	return NULL;
}
int
main(void)
{
	pthread_t t;
	for (long i = 0; i < N; i++) {
		pthread_create(&t, NULL, work, (void *)i);
		pthread_detach(t);
	}
	pthread_mutex_lock(&m);
	if (done < N)
		pthread_cond_wait(&changed, &m);
	pthread_mutex_unlock(&m);
	return data[0] + data[1]; // RACE
}
