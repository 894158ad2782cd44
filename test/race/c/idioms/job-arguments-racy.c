/* What a job that was taken off the queue points to is its taker's. But its giver goes on using it. */
#include <pthread.h>
#include <stdlib.h>

struct job {
	void (*run)(int *);
	int *arg;
	struct job *next;
};

static struct job *queue;
static int stop;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some = PTHREAD_COND_INITIALIZER;
static long total;

static void
add(int *arg)
{
	pthread_mutex_lock(&m);
	total += *arg; // RACE
	pthread_mutex_unlock(&m);
	free(arg); // RACE
}

static void *
worker(void *unused)
{
	for (;;) {
		struct job *j;
		pthread_mutex_lock(&m);
		while (!queue && !stop)
			pthread_cond_wait(&some, &m);
		j = queue;
		if (j)
			queue = j->next;
		pthread_mutex_unlock(&m);
		if (!j)
			return unused;
		j->run(j->arg);
		free(j);
	}
}

static void
submit(void (*run)(int *), int *arg)
{
	struct job *j = malloc(sizeof *j);

	j->run = run;
	j->arg = arg;
	pthread_mutex_lock(&m);
	j->next = queue;
	queue = j;
	pthread_cond_signal(&some);
	pthread_mutex_unlock(&m);
}

int
main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 100; i++) {
		int *p = malloc(sizeof *p);
		*p = i;
		submit(add, p);
		*p = 0; // RACE
	}
	pthread_mutex_lock(&m);
	stop = 1;
	pthread_cond_broadcast(&some);
	pthread_mutex_unlock(&m);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return (int)total; // NORACE
}
