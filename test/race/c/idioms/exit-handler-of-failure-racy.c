/* A thread ends the process when all is done, and the handlers see what main is still at. */
#include <pthread.h>
#include <stdlib.h>
static int total;
static void say(void)
{
	if (total) // RACE
		_Exit(2);
}
static void *work(void *arg)
{
	if (arg)
		exit(0);
	return arg;
}
int main(int argc, char **argv)
{
	pthread_t t;
	atexit(say);
	pthread_create(&t, NULL, work, argc > 1 ? argv : NULL);
	total = argc; // RACE
	pthread_join(t, NULL);
	return 0;
}
