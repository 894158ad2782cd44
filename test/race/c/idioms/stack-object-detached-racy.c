/* A detached thread reads a stack object that its creator goes on to change. */
#include <pthread.h>
#include <stdio.h>

struct request {
	int number;
};

static void *
answer(void *arg)
{
	struct request *r = arg;

	printf("%d\n", r->number); // RACE
	return NULL;
}

static void
handle(int n)
{
	struct request r = {n};
	pthread_t t;

	if (pthread_create(&t, NULL, answer, &r) != 0)
		return;
	pthread_detach(t);
	r.number = -1; // RACE
}

int
main(void)
{
	handle(1);
	return 0;
}
