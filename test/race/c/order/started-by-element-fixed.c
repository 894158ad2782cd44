/* Functions start and join the threads of an element that they are given, in two loops that
 * go through one array alike: that none is left is not shown, but no doubt is meant. */
#include <pthread.h>
#include <stdlib.h>

struct worker {
	pthread_t sender, receiver;
	unsigned long sent;
};

static struct worker *workers;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;

static void *
run(void *arg)
{
	pthread_mutex_lock(&lock);
	total++; // NORACE-LIKELY
	pthread_mutex_unlock(&lock);
	return arg;
}

static void
start(struct worker *w)
{
	pthread_create(&w->sender, NULL, run, w);
	pthread_create(&w->receiver, NULL, run, w);
}

static void
stop(struct worker *w)
{
	if (pthread_join(w->sender, NULL) != 0)
		abort();
	if (pthread_join(w->receiver, NULL) != 0)
		abort();
}

int
main(int argc, char **argv)
{
	workers = calloc((size_t)argc, sizeof *workers);
	for (int i = 0; i < argc; i++)
		start(&workers[i]);
	for (int i = 0; i < argc; i++)
		stop(&workers[i]);
	total = argv[0][0]; // NORACE-LIKELY
	return (int)total;
}
