/* A thread that is started on demand, and stopped where its handle is not zero: else it was never
 * started, or was stopped before. */
#include <pthread.h>
#include <string.h>

static pthread_t logger, ticker;
static long lines, ticks;

static void *
log_lines(void *arg)
{
	lines++; // NORACE
	return arg;
}

static void *
tick(void *arg)
{
	ticks++; // NORACE
	return arg;
}

static void
start(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "-l"))
		pthread_create(&logger, NULL, log_lines, NULL);
	if (argc > 2)
		pthread_create(&ticker, NULL, tick, NULL);
}

static void
stop_logger(void)
{
	if (logger)
		pthread_join(logger, NULL);
}

static void
stop_ticker(void)
{
	if (ticker != 0) {
		pthread_join(ticker, NULL);
		ticker = 0;
	}
}

int
main(int argc, char **argv)
{
	start(argc, argv);
	stop_logger();
	lines = 0; // NORACE
	stop_ticker();
	ticks = 0; // NORACE
	stop_ticker();
	ticks = 1; // NORACE
	return 0;
}
