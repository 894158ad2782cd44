/* A thread joins its helper before it ends; main joins the thread. */
#include <pthread.h>

static int data;
static void *
helper(void *arg)
{
	data++; // NORACE
	return arg;
}
static void *
work(void *arg)
{
	pthread_t h;
	pthread_create(&h, NULL, helper, NULL);
	pthread_join(h, NULL);
	return arg;
}
int
main(void)
{
	pthread_t a;
	pthread_create(&a, NULL, work, NULL);
	pthread_join(a, NULL);
	data = 2; // NORACE
	return 0;
}
