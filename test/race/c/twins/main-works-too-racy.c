/* Main fills the first half of an array and one cell more while a thread fills the second. */
#include <pthread.h>

static int data[64];
static void *
work(void *arg)
{
	for (int i = 32; i < 64; i++)
		data[i] = 2; // RACE
	return arg;
}
int
main(void)
{
	pthread_t a;
	pthread_create(&a, NULL, work, NULL);
	for (int i = 0; i < 33; i++)
		data[i] = 1; // RACE
	pthread_join(a, NULL);
	return 0;
}
