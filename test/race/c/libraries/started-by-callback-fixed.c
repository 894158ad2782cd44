/* A library that is not known may call back what it was given, and so start a thread: but the program itself
 * does so only when it has set the level. */
#include <pthread.h>
#include <stdlib.h>

struct backend {
	const char *name;
	int (*open)(int n);
};
struct state {
	int fd;
	struct backend *first;
};
int lib_open(int *fd);
void lib_trace(const char *text);
int level;

static void *
worker(void *arg)
{
	if (level > 1) // RACE possible
		abort();
	return 0;
}

static int
open_backend(int n)
{
	pthread_t t;

	while (n-- > 0)
		if (pthread_create(&t, 0, worker, 0))
			return 1;
	return 0;
}

static struct backend one = {"one", open_backend};
static struct state state = {0, &one};

static void
set_level(int n)
{
	lib_trace("set");
	level = n; // RACE possible
}

int
main(int argc, char **argv)
{
	lib_open(&state.fd);
	lib_trace("start");

	set_level(argc);
	state.first->open(argc);
	return 0;
}
