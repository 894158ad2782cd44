/* A job queue with a condition variable, all under one lock. */
#include <pthread.h>
#include <stdlib.h>

struct job {
	struct job *next;
	int id;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static struct job *jobs;
static int length;

static void *
produce(void *arg)
{
	for (int i = 0; i < 10; i++) {
		struct job *j = malloc(sizeof *j);

		if (!j)
			break;
		j->id = i; // NORACE
		pthread_mutex_lock(&lock);
		j->next = jobs;
		jobs = j; // NORACE
		length++; // NORACE
		pthread_cond_signal(&ready);
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

static void *
consume(void *arg)
{
	struct job *j;

	pthread_mutex_lock(&lock);
	while (jobs == NULL) // NORACE
		pthread_cond_wait(&ready, &lock);
	j = jobs;
	jobs = j->next; // NORACE
	length--; // NORACE
	pthread_mutex_unlock(&lock);
	return j->id ? arg : NULL; // NORACE
}

int
main(void)
{
	pthread_t p, c;

	pthread_create(&p, NULL, produce, NULL);
	pthread_create(&c, NULL, consume, NULL);
	pthread_join(p, NULL);
	pthread_join(c, NULL);
	return 0;
}
