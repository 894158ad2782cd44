/* A server collects, in each round, the threads of its list that are done, and then reads its
 * settings anew: others still use them. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct child {
	pthread_t thread;
	int done; /* atomic */
	struct child *next;
};

static struct child *children;
static int *settings;

static void *
serve(void *arg)
{
	struct child *c = arg;

	usleep(settings[0]); // RACE
	__atomic_store_n(&c->done, 1, __ATOMIC_RELEASE);
	return NULL;
}

static void
collect(void)
{
	struct child **at = &children, *c;

	while ((c = *at)) {
		if (__atomic_load_n(&c->done, __ATOMIC_ACQUIRE)) {
			pthread_join(c->thread, NULL);
			*at = c->next;
			free(c);
		} else
			at = &c->next;
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
			settings[0] = x; // RACE
		c = calloc(1, sizeof *c);
		c->next = children;
		children = c;
		pthread_create(&c->thread, NULL, serve, c);
	}
	return 0;
}
