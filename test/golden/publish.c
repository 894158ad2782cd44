// FLAGS: --level possible
/* A heap object that is published through a plain pointer, one that is freed
 * too early, a volatile flag, and a table whose elements share a race. */
#include <pthread.h>
#include <stdlib.h>

struct job {
	struct job *next;
	int state;
};

static struct job *head;
static volatile int stop;
static int table[8];

static void *
producer(void *arg)
{
	struct job *j = malloc(sizeof *j);

	if (!j)
		return NULL;
	j->state = 1;
	head = j;
	stop = 1;
	return arg;
}

static void *
consumer(void *arg)
{
	struct job *j = head;

	if (j && j->state && !stop)
		table[j->state & 7]++;
	stop = 0;
	return arg;
}

static void *
owner(void *arg)
{
	int *cell = arg;

	*cell = 1;
	free(cell);
	return NULL;
}

int
main(void)
{
	pthread_t p, c, d, o;
	int *cell = malloc(sizeof *cell);

	if (!cell)
		return 1;
	pthread_create(&p, NULL, producer, NULL);
	pthread_create(&c, NULL, consumer, NULL);
	pthread_create(&d, NULL, consumer, NULL);
	pthread_create(&o, NULL, owner, cell);
	table[0] = *cell;
	pthread_join(p, NULL);
	pthread_join(c, NULL);
	pthread_join(d, NULL);
	pthread_join(o, NULL);
	return 0;
}
