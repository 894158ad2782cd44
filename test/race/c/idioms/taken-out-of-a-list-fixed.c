/* A client is taken out of the list under the lock, then freed. */
#include <pthread.h>
#include <stdlib.h>

struct client {
	struct client *next;
	int requests;
};
static struct client *clients;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void
leave(struct client *c)
{
	pthread_mutex_lock(&m);
	for (struct client **p = &clients; *p; p = &(*p)->next)
		if (*p == c) {
			*p = c->next;
			break;
		}
	pthread_mutex_unlock(&m);
	free(c); // NORACE-LIKELY
}

static void *
serve(void *arg)
{
	struct client *c = arg;

	pthread_mutex_lock(&m);
	for (struct client *o = clients; o; o = o->next)
		o->requests++;
	pthread_mutex_unlock(&m);
	leave(c);
	return NULL;
}

int
main(void)
{
	for (int i = 0; i < 10; i++) {
		struct client *c = calloc(1, sizeof *c);
		pthread_t t;

		pthread_mutex_lock(&m);
		c->next = clients;
		clients = c;
		pthread_mutex_unlock(&m);
		pthread_create(&t, NULL, serve, c);
		pthread_detach(t);
	}
	return 0;
}
