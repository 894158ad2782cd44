/* Settings are read by a thread that a wrapper starts before they are complete. */
#include <pthread.h>

static int setting;
static pthread_t t;

static void *
work(void *arg)
{
	return setting ? arg : NULL; // RACE
}

static void
start(void)
{
	pthread_create(&t, NULL, work, NULL);
}

static void
configure(void)
{
	setting = 7; // RACE
}

int
main(void)
{
	start();
	configure();
	pthread_join(t, NULL);
	return 0;
}
