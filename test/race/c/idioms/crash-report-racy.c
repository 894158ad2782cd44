/* A thread serves until the process ends, in a function that does not return: what it reads is no crash report. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static long served;

static void
show(void)
{
	printf("served %ld\n", served); // RACE
}

_Noreturn static void
serve(int rounds)
{
	while (rounds-- > 0)
		show();
	exit(0);
}

static void *
work(void *arg)
{
	int *rounds = arg;

	if (!rounds)
		return NULL;
	serve(*rounds);
}

int
main(int argc, char **argv)
{
	pthread_t t;
	int rounds = argc;
	(void)argv;

	pthread_create(&t, NULL, work, &rounds);
	for (int i = 0; i < 100; i++)
		served++; // RACE
	pthread_join(t, NULL);
	return 0;
}
