/* A handler and main share an atomic number and one that only main uses. */
#include <signal.h>
#include <stdatomic.h>

static atomic_int level;
static int mode;

static void
on_signal(int number)
{
	level = number; // NORACE
}

int
main(void)
{
	signal(SIGHUP, on_signal);
	mode++; // NORACE
	return level + mode; // NORACE
}
