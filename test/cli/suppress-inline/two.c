#include <pthread.h>

static int total, estimate, flag, level;

static void *
worker(void *arg)
{
	total++; // concord: ignore(the total is only printed)
	/* concord: ignore(an estimate is enough)
	 * and this goes on */

	estimate = 1;
	flag = 1;
	level = 1;
	return arg;
}

int
main(void)
{
	pthread_t a;
	int now; // concord: ignore(nothing is here)

	pthread_create(&a, NULL, worker, NULL);
	total = 0;
	now = estimate;
	// concord: ignore(the flag is polled)
	now += flag;
	level = 2; // concord: ignore(only one of its pairs)
	level = 3;
	pthread_join(a, NULL);
	return now;
}
