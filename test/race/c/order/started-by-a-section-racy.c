/* A function that is listed in the section of initialisers runs before main, and starts a thread. */
#include <pthread.h>
#include <stdlib.h>

static int g;
static pthread_t t;

static void *
worker(void *arg)
{
	g = 1; // RACE
	return arg;
}

static void
start(void)
{
	pthread_create(&t, NULL, worker, NULL);
}

__attribute__((section(".init_array"), used)) static void (*const starts[])(void) = {start};

int
main(void)
{
	g = 3; // RACE
	return 0;
}
