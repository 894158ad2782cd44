/* A thread ends the process since something has failed: what the handlers see then may change meanwhile. */
#include <pthread.h>
#include <stdlib.h>
static int total;
static void say(void)
{
	if (total) // NORACE-LIKELY
		_Exit(2);
}
static void *work(void *arg)
{
	if (arg)
		exit(1);
	return arg;
}
int main(int argc, char **argv)
{
	pthread_t t;
	atexit(say);
	pthread_create(&t, NULL, work, argc > 1 ? argv : NULL);
	total = argc; // NORACE-LIKELY
	pthread_join(t, NULL);
	return 0;
}
