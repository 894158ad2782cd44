/* A function makes the argument and the thread, and changes the number then. */
#include <pthread.h>
#include <stdlib.h>

struct arg {
	int i;
};
static int out[16];

static void *
work(void *p)
{
	struct arg *a = p;

	out[a->i] = 1; // RACE
	free(a);
	return NULL;
}

static int
start(int i)
{
	pthread_t t;
	struct arg *a = malloc(sizeof *a);

	if (!a)
		return -1;
	a->i = i;
	if (pthread_create(&t, NULL, work, a)) {
		free(a);
		return -1;
	}
	a->i = 0; // RACE
	pthread_detach(t);
	return 0;
}

int
main(void)
{
	for (int i = 0; i < 16; i++)
		start(i);
	return 0;
}
