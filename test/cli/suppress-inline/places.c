#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int *target, first, second, third, fourth, fifth, sixth;

static void *
count(void *arg)
{
	// concord: ignore(an estimate)
	*target += 1;
	first++; /* reported: the comment was for the line above */

	/* concord: ignore(see count()) */ second++, puts("//"); /* (and here) */
	third++; /* reported */

	/* concord: ignore(all that follows
	 * is about the next line) */
	/* concord: ignore(and so is this) */
	// which may be commented further
	fourth++;

	fifth++; /* behind code, a comment of two lines
		    concord: ignore(is for that code) */
	sixth++; /* reported */
	puts("// concord: ignore(a text)"), first += 1'000;
	return arg;
}

int
main(void)
{
	pthread_t t[2];
	int *mine = malloc(sizeof *mine);

	*mine = 0;
	target = mine;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, count, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return first + second + third + fourth + fifth + sixth;
}
