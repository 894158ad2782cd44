/* Tasks of an array are given to a pool of threads; their results are read without waiting. */
#include <pthread.h>
#include <stdlib.h>

struct task {
	struct task *next;
	int in, out;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static struct task *head;
static int stop, pending;

static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	for (;;) {
		struct task *t;
		while (!head && !stop)
			pthread_cond_wait(&more, &m);
		if (!(t = head))
			break;
		head = t->next;
		pthread_mutex_unlock(&m);
		t->out = t->in * t->in; // RACE
		pthread_mutex_lock(&m);
		if (--pending == 0)
			pthread_cond_broadcast(&more);
	}
	pthread_mutex_unlock(&m);
	return arg;
}

static void submit(struct task *t)
{
	pthread_mutex_lock(&m);
	t->next = head;
	head = t;
	pending++;
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&m);
}

int main(void)
{
	pthread_t w[2];
	struct task *tasks = calloc(20, sizeof *tasks);
	int sum = 0;

	for (int i = 0; i < 2; i++)
		pthread_create(&w[i], 0, worker, 0);
	for (int i = 0; i < 20; i++) {
		tasks[i].in = i;
		submit(&tasks[i]);
	}
	for (int i = 0; i < 20; i++)
		sum += tasks[i].out; // RACE
	pthread_mutex_lock(&m);
	stop = 1;
	pthread_cond_broadcast(&more);
	pthread_mutex_unlock(&m);
	for (int i = 0; i < 2; i++)
		pthread_join(w[i], 0);
	return sum;
}
