/* A server collects, in each round, all threads of its list, and then reads its
 * settings anew. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct child {
	pthread_t thread;
	struct child *next;
};

static struct child *children;
static int *settings;

static void *
serve(void *arg)
{
	(void)arg;
	usleep(settings[0]); // NORACE-LIKELY
	return NULL;
}

static void
collect(void)
{
	struct child *c;

	while ((c = children)) {
		pthread_join(c->thread, NULL);
		children = c->next;
		free(c);
	}
}

int
main(void)
{
	char x;

	settings = calloc(4, sizeof *settings);
	while (read(0, &x, 1) == 1) {
		struct child *c;
		collect();
		if (x == 'h')
			settings[0] = x; // NORACE-LIKELY
		c = calloc(1, sizeof *c);
		c->next = children;
		children = c;
		pthread_create(&c->thread, NULL, serve, c);
	}
	return 0;
}
