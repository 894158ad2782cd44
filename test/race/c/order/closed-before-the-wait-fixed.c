/* A function closes the queue under its lock, before its caller waits for the workers. */
#include <pthread.h>

static struct {
	pthread_mutex_t m;
	pthread_cond_t more, ended;
	int closed, left;
} q = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 2};

static void *
worker(void *arg)
{
	pthread_mutex_lock(&q.m);
	while (!q.closed) // NORACE
		pthread_cond_wait(&q.more, &q.m);
	q.left--;
	pthread_cond_signal(&q.ended);
	pthread_mutex_unlock(&q.m);
	return arg;
}

static void
close_queue(void)
{
	pthread_mutex_lock(&q.m);
	q.closed = 1; // NORACE
	pthread_cond_broadcast(&q.more);
	pthread_mutex_unlock(&q.m);
}

int
main(void)
{
	pthread_t t;

	for (int i = 0; i < 2; i++) {
		pthread_create(&t, NULL, worker, NULL);
		pthread_detach(t);
	}
	close_queue();
	pthread_mutex_lock(&q.m);
	while (q.left > 0)
		pthread_cond_wait(&q.ended, &q.m);
	pthread_mutex_unlock(&q.m);
	return 0;
}
