/* A plug-in: callers know its functions from an external table only; all of them lock. */
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
	hits++; // NORACE
	pthread_mutex_unlock(&lock);
}

static void
reset(void)
{
	pthread_mutex_lock(&lock);
	hits = 0; // NORACE
	pthread_mutex_unlock(&lock);
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
