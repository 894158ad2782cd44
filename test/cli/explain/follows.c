#include <pthread.h>
#include <stdlib.h>

struct job {
	int state;
};
static struct job *head;
void unknown(void);

static void *
producer(void *arg)
{
	struct job *j = malloc(sizeof *j);

	if (!j)
		return NULL;
	j->state = 1;
	head = j;
	return arg;
}

static void *
consumer(void *arg)
{
	struct job *j = head;

	if (j && j->state)
		unknown();
	return arg;
}

int
main(void)
{
	pthread_t p, c;

	pthread_create(&p, NULL, producer, NULL);
	pthread_create(&c, NULL, consumer, NULL);
	return 0;
}
