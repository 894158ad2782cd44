/* One function does all that is done with options, by command; clients only free theirs
 * and so do not read the defaults that main sets. */
#include <pthread.h>
#include <stdlib.h>

typedef enum Command { SET_DEFAULTS, COPY, FREE } Command;
struct options {
	int level;
	char *name;
};
struct options defaults;

static void
options(Command c, struct options *o, int level)
{
	switch (c) {
	case SET_DEFAULTS:
		defaults.level = level; // NORACE
		break;
	case COPY:
		o->level = defaults.level; // NORACE
		break;
	case FREE: free(o->name); break;
	}
	if (c == SET_DEFAULTS)
		defaults.name = "default"; // NORACE
	else if (c != FREE && level > 3)
		o->name = defaults.name; // NORACE
}

static void *
client(void *arg)
{
	struct options *o = arg;

	options(FREE, o, 0);
	free(o);
	return 0;
}

int
main(int argc, char **argv)
{
	for (int k = 0; k < argc; k++) {
		struct options *o = calloc(1, sizeof *o);
		pthread_t t;

		options(SET_DEFAULTS, o, k);
		options(COPY, o, k);
		pthread_create(&t, 0, client, o);
	}
	return 0;
}
