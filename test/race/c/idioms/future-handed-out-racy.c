/* The worker says that it is done without the lock under which that is looked at. */
#include <pthread.h>
#include <stdlib.h>

struct task {
	int argument, result, done;
	pthread_mutex_t lock;
	pthread_cond_t finished;
};

static void *
run(void *arg)
{
	struct task *t = arg;

	t->result = t->argument * 2;
	t->done = 1; // RACE
	pthread_cond_signal(&t->finished);
	return NULL;
}

static struct task *
submit(int argument)
{
	struct task *t = calloc(1, sizeof *t);
	pthread_t thread;

	t->argument = argument;
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->finished, NULL);
	pthread_create(&thread, NULL, run, t);
	pthread_detach(thread);
	return t;
}

static int
wait_for(struct task *t)
{
	int result;

	pthread_mutex_lock(&t->lock);
	while (!t->done)
		pthread_cond_wait(&t->finished, &t->lock);
	result = t->result;
	pthread_mutex_unlock(&t->lock);
	return result;
}

int
main(void)
{
	struct task *a = submit(1), *b = submit(2);

	return wait_for(a) + wait_for(b);
}
