/* A thread pool: a job is filled, then put into the queue under its lock. */
#include <pthread.h>
#include <stdlib.h>

struct job {
	struct job *next;
	int input;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static struct job *queue;

static void *
worker(void *arg)
{
	struct job *j;
	int v;

	pthread_mutex_lock(&m);
	while (!queue)
		pthread_cond_wait(&more, &m);
	j = queue;
	queue = j->next;
	pthread_mutex_unlock(&m);
	v = j->input; // NORACE-LIKELY
	return v ? arg : NULL;
}

static void
submit(int input)
{
	struct job *j = malloc(sizeof *j);

	if (!j)
		return;
	j->input = input; // NORACE-LIKELY
	pthread_mutex_lock(&m);
	j->next = queue;
	queue = j; // NORACE
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&m);
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	submit(1);
	submit(2);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
