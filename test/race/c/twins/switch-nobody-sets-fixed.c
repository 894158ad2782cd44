/* What a switch that nobody sets would do is never done. */
#include <pthread.h>

static int verbose;
static int shown;
static void *
work(void *arg)
{
	if (verbose)
		shown++; // NORACE
	return arg;
}
int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
