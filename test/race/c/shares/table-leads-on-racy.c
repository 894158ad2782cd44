/* Each thread gets an entry of a table that leads to an object of its own; but these start with pointers to one place. */
#include <pthread.h>

struct box {
	int *inner;
};

static int shared;
static struct box left = {&shared}, right = {&shared};
static struct box *boxes[2] = {&left, &right};

static void *
run(void *arg)
{
	struct box **b = arg;

	++*(*b)->inner; // RACE
	return NULL;
}
int
main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, run, &boxes[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return shared;
}
