/* A thread leaves its helper running; main joins the thread. */
#include <pthread.h>

static int data;
static void *
helper(void *arg)
{
	data++; // RACE
	return arg;
}
static void *
work(void *arg)
{
	pthread_t h;
	pthread_create(&h, NULL, helper, NULL);
	pthread_detach(h);
	return arg;
}
int
main(void)
{
	pthread_t a;
	pthread_create(&a, NULL, work, NULL);
	pthread_join(a, NULL);
	data = 2; // RACE
	return 0;
}
