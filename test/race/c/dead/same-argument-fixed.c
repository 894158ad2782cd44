/* Every call passes the same number; the function does not do what another would ask for. */
#include <pthread.h>

static int total, log_lines;

static void
report(int lines, int verbose)
{
	if (verbose)
		log_lines += lines; // NORACE
}

static void *
work(void *arg)
{
	report(1, 0);
	report(2, 0);
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
