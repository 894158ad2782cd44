/* A function starts a thread and fails behind that, or says nothing by its result, or is asked
 * for another result than its own: it may be running where it was not joined. */
#include <pthread.h>

static pthread_t t, u, v;
static int late, same, asked;

static void *
set_late(void *arg)
{
	late++; // RACE
	return arg;
}

static void *
set_same(void *arg)
{
	same++; // RACE
	return arg;
}

static void *
set_asked(void *arg)
{
	asked++; // RACE
	return arg;
}

static int
fails_late(int bad)
{
	pthread_create(&t, NULL, set_late, NULL);
	if (bad)
		return -1;
	return 0;
}

static int
says_nothing(int bad)
{
	if (!bad)
		pthread_create(&u, NULL, set_same, NULL);
	return 1;
}

static int
number(int n)
{
	if (n == 1)
		return 2;
	pthread_create(&v, NULL, set_asked, NULL);
	return 1;
}

int
main(int argc, char **argv)
{
	(void)argv;
	if (fails_late(argc > 1) == 0)
		pthread_join(t, NULL);
	late = -1; // RACE
	if (!says_nothing(argc > 2))
		pthread_join(u, NULL);
	same = -1; // RACE
	if (number(argc) <= 0)
		pthread_join(v, NULL);
	asked = -1; // RACE
	return 0;
}
