/* Each thread has an argument struct of its own on the creator's stack. */
#include <pthread.h>

struct task {
	int from, to;
	long sum;
};

static void *
sum_up(void *arg)
{
	struct task *t = arg;

	for (int i = t->from; i < t->to; i++) // NORACE
		t->sum += i; // NORACE
	return NULL;
}

int
main(void)
{
	struct task one = {0, 50, 0};
	struct task two = {50, 100, 0};
	pthread_t a, b;

	pthread_create(&a, NULL, sum_up, &one);
	pthread_create(&b, NULL, sum_up, &two);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return one.sum > 0; // NORACE
}
