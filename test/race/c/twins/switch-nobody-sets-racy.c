/* What a switch would do is done: main sets it. */
#include <pthread.h>

static int verbose;
static int shown;
static void *
work(void *arg)
{
	if (verbose)
		shown++; // RACE
	return arg;
}
int
main(void)
{
	pthread_t a, b;
	verbose = 1;
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
