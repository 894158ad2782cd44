/* A function that is listed in the section of initialisers runs before main. */
#include <pthread.h>
#include <stdlib.h>

static int g;
static pthread_t t;

static void *
worker(void *arg)
{
	g = 1; // NORACE
	return arg;
}

static void
start(void)
{
	g = 2; // NORACE
}

__attribute__((section(".init_array"), used)) static void (*const starts[])(void) = {start};

int
main(void)
{
	pthread_create(&t, NULL, worker, NULL);
	pthread_join(t, NULL);
	g = 3; // NORACE
	return 0;
}
