/* A thread that is started only if a setting says so, and joined if the same setting does. But it has changed: here,
 * in a function that is called, in the thread, or because it is another object's. */
#include <pthread.h>
#include <stdlib.h>

struct options { int verbose, background; };

static int changed, called, by_thread, other;
static struct options *options, *defaults;
static long a, b, c, d, e;

static void *job(void *arg)
{
	*(long *)arg += 1; // RACE
	return arg;
}

static void *job_and_reset(void *arg)
{
	c += 1; // RACE
	by_thread = 0; // RACE
	return arg;
}

static void reset(void)
{
	called = 0;
}

int main(int argc, char **argv)
{
	pthread_t t[5];

	changed = called = by_thread = argc > 1;
	other = argc > 2;
	options = calloc(1, sizeof *options);
	defaults = calloc(1, sizeof *defaults);
	options->background = argc > 3;
	if (changed)
		pthread_create(&t[0], 0, job, &a);
	if (called)
		pthread_create(&t[1], 0, job, &b);
	if (by_thread)
		pthread_create(&t[2], 0, job_and_reset, 0);
	if (other)
		pthread_create(&t[3], 0, job, &d);
	if (options->background)
		pthread_create(&t[4], 0, job, &e);
	changed = argc > 4;
	reset();
	if (argc > 5)
		options = defaults;
	if (changed)
		pthread_join(t[0], 0);
	a++; // RACE
	if (called)
		pthread_join(t[1], 0);
	b++; // RACE
	if (by_thread) // RACE
		pthread_join(t[2], 0);
	c++; // RACE
	if (changed)
		pthread_join(t[3], 0);
	d++; // RACE
	if (options->background)
		pthread_join(t[4], 0);
	e++; // RACE
	return argv[0] == 0;
}
