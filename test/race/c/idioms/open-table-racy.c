/* A plug-in: callers know its functions from an external table only, and one does not lock. */
// FLAGS: --open
#include <pthread.h>

struct command {
	const char *name;
	void (*run)(void);
};
struct plugin {
	const struct command *commands;
	void (*stop)(void);
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hits, stops;

static void
add(void)
{
	pthread_mutex_lock(&lock);
	hits++; // RACE
	pthread_mutex_unlock(&lock);
}

static void
reset(void)
{
	hits = 0; // RACE
}

static void
stop(void)
{
	pthread_mutex_lock(&lock);
	stops++; // NORACE
	pthread_mutex_unlock(&lock);
}

static const struct command commands[] = {{"add", add}, {"reset", reset}};
const struct plugin plugin = {commands, stop};
