/* What a thread reads only while it reports a fatal error and ends the process, as the others go on. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static long served;

static void
show(void)
{
	printf("served %ld\n", served); // NORACE-LIKELY
}

_Noreturn static void
panic(const char *why)
{
	puts(why);
	show();
	abort();
}

static void *
work(void *arg)
{
	int *kind = arg;

	if (!kind)
		panic("no kind");
	if (*kind > 3)
		panic("unknown kind");
	if (*kind < 0)
		panic("negative kind");
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t t;
	int kind = argc;
	(void)argv;

	if (argc > 9)
		panic("too many arguments");
	pthread_create(&t, NULL, work, argc > 5 ? NULL : &kind);
	for (int i = 0; i < 100; i++)
		served++; // NORACE-LIKELY
	pthread_join(t, NULL);
	return 0;
}
