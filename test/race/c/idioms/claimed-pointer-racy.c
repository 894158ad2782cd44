/* The object is put back before its last use. */
#include <pthread.h>
#include <stdlib.h>

#define MOST 16

struct conn {
	long bytes;
	int fd;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct conn *idle[MOST];
static int nidle;

static struct conn *
conn_get(void)
{
	struct conn *c = NULL;

	pthread_mutex_lock(&m);
	if (nidle > 0)
		c = idle[--nidle];
	pthread_mutex_unlock(&m);
	return c;
}

static void
conn_put(struct conn *c)
{
	pthread_mutex_lock(&m);
	idle[nidle++] = c;
	pthread_mutex_unlock(&m);
}

static void *
serve(void *arg)
{
	for (int k = 0; k < 30; k++) {
		struct conn *c = conn_get();
		if (!c)
			continue;
		c->fd = k; // RACE possible
		conn_put(c);
		c->bytes += k; // RACE
	}
	return arg;
}

int
main(void)
{
	pthread_t t[4];

	for (int i = 0; i < MOST; i++) {
		struct conn *c = calloc(1, sizeof *c);
		if (!c)
			abort();
		conn_put(c);
	}
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, serve, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
