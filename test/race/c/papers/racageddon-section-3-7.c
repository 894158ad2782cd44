/* Racageddon, Section 3.7: the first two races are there in every run, the third only
 * for some inputs and schedules. */
// PAIRS: l1-l4 definite, l1-l5 definite, l3-l6 likely
#include <pthread.h>

static int x, y, z;

static void *
thread_1(void *arg)
{
l1:
	x = 6; // RACE definite
	if (z > 4) // NORACE
l3:
		y = 5; // RACE !definite
	return arg;
}

static void *
thread_2(void *arg)
{
l4:
	x = 2; // RACE definite
l5:
	if (z * z + 5 < x * x) // RACE definite
l6:
		y = 3; // RACE !definite
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t a, b;

	(void)argv;
	z = argc; // NORACE
	pthread_create(&a, NULL, thread_1, NULL);
	pthread_create(&b, NULL, thread_2, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return y; // NORACE
}
