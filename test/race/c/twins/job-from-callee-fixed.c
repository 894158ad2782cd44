/* A function takes a job off the list, under the lock; whoever got it uses it outside. */
#include <pthread.h>
#include <stdlib.h>

struct job {
	struct job *next;
	int in, out;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct job *list;

static struct job *
take(void)
{
	struct job *j;

	pthread_mutex_lock(&lock);
	j = list;
	if (j)
		list = j->next;
	pthread_mutex_unlock(&lock);
	return j;
}

static void *
work(void *arg)
{
	struct job *j;

	while ((j = take()) != NULL) {
		j->out = j->in * 2; // NORACE-LIKELY
		free(j);
	}
	return arg;
}

int
main(void)
{
	pthread_t t[3];

	for (int k = 0; k < 9; k++) {
		struct job *j = malloc(sizeof *j);
		j->in = k;
		j->next = list;
		list = j;
	}
	for (int k = 0; k < 3; k++)
		pthread_create(&t[k], NULL, work, NULL);
	for (int k = 0; k < 3; k++)
		pthread_join(t[k], NULL);
	return 0;
}
