/* A server joins, when it ends, those of its threads that are there: a slot has a handle while
 * its thread is. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { SLOTS = 8 };
struct slot {
	pthread_t *thread;
	int socket;
};
static struct slot *slots;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *cache, closing;

static void *
serve(void *arg)
{
	struct slot *s = arg;
	char c;

	while (read(s->socket, &c, 1) == 1) {
		pthread_mutex_lock(&m);
		cache[c & 7]++; // NORACE-LIKELY
		pthread_mutex_unlock(&m);
	}
	pthread_mutex_lock(&m);
	if (!closing) {
		pthread_detach(*s->thread);
		free(s->thread);
		s->thread = NULL;
	}
	pthread_mutex_unlock(&m);
	return 0;
}

static int
start(int socket)
{
	int k;

	pthread_mutex_lock(&m);
	for (k = 0; k < SLOTS; k++)
		if (!slots[k].thread)
			break;
	if (k == SLOTS) {
		pthread_mutex_unlock(&m);
		return 1;
	}
	slots[k].socket = socket;
	slots[k].thread = calloc(1, sizeof(pthread_t));
	pthread_create(slots[k].thread, 0, serve, &slots[k]);
	pthread_mutex_unlock(&m);
	return 0;
}

static void
finish(void)
{
	pthread_mutex_lock(&m);
	closing = 1;
	pthread_mutex_unlock(&m);
	for (int k = 0; k < SLOTS; k++)
		if (slots[k].thread != NULL)
			pthread_join(*slots[k].thread, 0);
	free(cache); // NORACE-LIKELY
}

int
main(int argc, char **argv)
{
	slots = calloc(SLOTS, sizeof *slots);
	cache = calloc(8, sizeof *cache);
	for (int k = 0; k < argc; k++)
		start(k);
	finish();
	return 0;
}
