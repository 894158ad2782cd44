/* A loop starts the functions of a table: one that is there once runs once, one that is there twice meets itself. */
#include <pthread.h>
#include <stddef.h>

struct job {
	const char *name;
	void *(*run)(void *);
};

static int once, twice, walked, late, nested, swapped, met;

static void *
first(void *p)
{
	once++; // NORACE
	met++;  // RACE
	return p;
}

static void *
second(void *p)
{
	twice++; // RACE
	return p;
}

static void *
third(void *p)
{
	walked++; // NORACE
	met++;    // RACE
	return p;
}

static void *
fourth(void *p)
{
	late++; // RACE
	return p;
}

static void *
fifth(void *p)
{
	nested++; // RACE
	return p;
}

static void *
sixth(void *p)
{
	swapped++; // RACE
	return p;
}

static struct job jobs[] = {{"first", first}, {"second", second}, {"again", second}};
static void *(*list[])(void *) = {third, NULL};
static void *(*filled[2])(void *) = {NULL, fourth};
static void *(*inner[])(void *) = {fifth};
static void *(*given[2])(void *) = {sixth, NULL};

static void
start_inner(void)
{
	pthread_t t;

	for (int i = 0; i < 1; i++)
		for (int k = 0; k < 2; k++)
			pthread_create(&t, NULL, inner[i], NULL);
}

static void
start_given(void)
{
	pthread_t t;

	for (int i = 0; i < 2; i++) {
		pthread_create(&t, NULL, given[i], NULL);
		given[i ^ 1] = given[i];
	}
}

int
main(int argc, char **argv)
{
	pthread_t t;

	(void)argv;
	for (int i = 0; i < 3; i++)
		pthread_create(&t, NULL, jobs[i].run, NULL);
	for (void *(**f)(void *) = list; *f; f++)
		pthread_create(&t, NULL, *f, NULL);
	filled[argc & 1] = fourth;
	for (int i = 0; i < 2; i++)
		pthread_create(&t, NULL, filled[i], NULL);
	start_inner();
	start_given();
	return 0;
}
