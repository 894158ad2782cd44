/* A thread waits for those that say they are done, and counts them out; main waits for the count,
 * which went up before each was started. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

static int total, running;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, d = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_t *handle;
static bool *done;
static pthread_mutex_t *own;
static int data;

static void *
work(void *arg)
{
	long n = (long)arg;

	pthread_mutex_lock(&d);
	data++; // NORACE-LIKELY
	pthread_mutex_unlock(&d);
	pthread_mutex_lock(&own[n]);
	done[n] = true;
	pthread_mutex_unlock(&own[n]);
	return NULL;
}

static void
count_out(void)
{
	pthread_mutex_lock(&m);
	running--;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
}

static void *
reap(void *arg)
{
	for (int n = 0;; n = (n + 1) % total) {
		pthread_mutex_lock(&own[n]);
		if (done[n]) {
			pthread_join(handle[n], NULL);
			count_out();
			done[n] = false;
		}
		pthread_mutex_unlock(&own[n]);
	}
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t reaper;

	total = argc > 1 ? atoi(argv[1]) : 9;
	if (total < 1)
		return 1;
	handle = malloc((size_t)total * sizeof *handle);
	done = calloc((size_t)total, sizeof *done);
	own = malloc((size_t)total * sizeof *own);
	for (int n = 0; n < total; n++)
		pthread_mutex_init(&own[n], NULL);
	pthread_create(&reaper, NULL, reap, NULL);
	for (long n = 0; n < total; n++) {
		pthread_mutex_lock(&own[n]);
		pthread_mutex_lock(&m);
		running++;
		pthread_mutex_unlock(&m);
		pthread_create(&handle[n], NULL, work, (void *)n);
		pthread_mutex_unlock(&own[n]);
	}
	pthread_mutex_lock(&m);
	while (running)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return data; // NORACE-LIKELY
}
