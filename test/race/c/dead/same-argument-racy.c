/* The same, but for one call, whose function is also called through a pointer. */
#include <pthread.h>

static int total, log_lines;

static void
report(int lines, int verbose)
{
	if (verbose)
		log_lines += lines; // RACE
}

static void (*volatile sink)(int, int) = report;

static void *
work(void *arg)
{
	report(1, 0);
	sink(2, 1);
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
	return total;
}
