/* A thread reads a stack object that its creator changes only after it has joined it. */
#include <pthread.h>
#include <stdio.h>

struct request {
	int number;
};

static void *
answer(void *arg)
{
	struct request *r = arg;

	printf("%d\n", r->number); // NORACE
	return NULL;
}

static void
handle(int n)
{
	struct request r = {n};
	pthread_t t;

	if (pthread_create(&t, NULL, answer, &r) != 0)
		return;
	pthread_join(t, NULL);
	r.number = -1; // NORACE
}

int
main(void)
{
	handle(1);
	return 0;
}
