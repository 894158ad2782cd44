/* Each thread gets an entry of a table that leads to an object of its own, in which it counts. */
#include <pthread.h>

struct box {
	int inner;
};


static struct box left = {1}, right = {1};
static struct box *boxes[2] = {&left, &right};

static void *
run(void *arg)
{
	struct box **b = arg;

	++(*b)->inner; // NORACE
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
	return left.inner;
}
