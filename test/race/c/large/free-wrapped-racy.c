/* A function that does little but free is called for an object that a thread still reads. */
#include <pthread.h>
#include <stdlib.h>
static int steps, *kept;
static void xfree(void *p)
{
	if (p)
		free(p);
}
/* What makes it large enough that not every call is told apart. */
#define STEP(x) steps += (steps ^ (x)) > 3 ? steps - (x) : steps + (x);
#define STEPS(x) STEP(x) STEP(x + 1) STEP(x + 2) STEP(x + 3) STEP(x + 4) STEP(x + 5) STEP(x + 6) STEP(x + 7)
#define MANY(x) STEPS(x) STEPS(x + 8) STEPS(x + 16) STEPS(x + 24) STEPS(x + 32) STEPS(x + 40) STEPS(x + 48) STEPS(x + 56)
static void walk(void)
{
	MANY(1) MANY(65) MANY(129) MANY(193) MANY(257) MANY(321) MANY(385) MANY(449)
}
static void *work(void *arg)
{
	int *own = malloc(sizeof *own), *given = arg, sum;
	if (!own)
		return NULL;
	*own = 1; // NORACE
	kept = own;
	sum = *own;
	sum += *given; // RACE
	xfree(kept);
	return sum ? arg : NULL;
}
int main(int argc, char **argv)
{
	pthread_t t;
	int *given = malloc(sizeof *given), *other = malloc(sizeof *other);
	steps = argc;
	walk();
	(void)argv;
	if (!given || !other)
		return 1;
	*given = 2;
	pthread_create(&t, NULL, work, given);
	xfree(other);
	xfree(given);
	pthread_join(t, NULL);
	return 0;
}
