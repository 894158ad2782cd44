/* A handle that is zero while its thread runs: cleared without a join, shared by two threads, or
 * looked at before the other thread has started it. */
#include <pthread.h>

static pthread_t logger, ticker, late;
static long lines, ticks, tocks, hours;

static void *
log_lines(void *arg)
{
	lines++; // RACE
	return arg;
}

static void *
tick(void *arg)
{
	ticks++; // RACE
	return arg;
}

static void *
tock(void *arg)
{
	tocks++;
	return arg;
}

static void *
chime(void *arg)
{
	hours++; // RACE
	return arg;
}

static void *
start_late(void *arg)
{
	pthread_create(&late, NULL, chime, NULL);
	return arg;
}

static void
stop_ticker(void)
{
	if (ticker) {
		pthread_join(ticker, NULL);
		ticker = 0;
	}
}

int
main(int argc, char **argv)
{
	pthread_t starter;

	(void)argv;
	pthread_create(&logger, NULL, log_lines, NULL);
	if (argc > 3)
		logger = 0;
	if (logger)
		pthread_join(logger, NULL);
	lines = 0; // RACE

	if (argc > 1)
		pthread_create(&ticker, NULL, tick, NULL);
	if (argc > 2)
		pthread_create(&ticker, NULL, tock, NULL);
	stop_ticker();
	stop_ticker();
	ticks = 0; // RACE

	pthread_create(&starter, NULL, start_late, NULL);
	if (late)
		pthread_join(late, NULL);
	hours = 12; // RACE
	pthread_join(starter, NULL);
	return 0;
}
