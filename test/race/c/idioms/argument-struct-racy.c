/* One argument struct on the stack is reused for the second thread. */
#include <pthread.h>

struct task {
	int from, to;
	long sum;
};

static void *
sum_up(void *arg)
{
	struct task *t = arg;

	for (int i = t->from; i < t->to; i++) // RACE
		t->sum += i; // RACE
	return NULL;
}

int
main(void)
{
	struct task one = {0, 50, 0};
	pthread_t a, b;

	pthread_create(&a, NULL, sum_up, &one);
	one.from = 50; // RACE
	one.to = 100; // RACE
	pthread_create(&b, NULL, sum_up, &one);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return one.sum > 0; // NORACE
}
