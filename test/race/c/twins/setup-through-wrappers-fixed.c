/* Settings are complete before a wrapper starts the first thread. */
#include <pthread.h>

static int setting;
static pthread_t t;

static void *
work(void *arg)
{
	return setting ? arg : NULL; // NORACE
}

static void
start(void)
{
	pthread_create(&t, NULL, work, NULL);
}

static void
configure(void)
{
	setting = 7; // NORACE
}

int
main(void)
{
	configure();
	start();
	pthread_join(t, NULL);
	return 0;
}
