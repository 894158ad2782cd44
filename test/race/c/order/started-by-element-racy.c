/* The same where the second loop leaves the last element out, and where one element alone is
 * joined: there is a thread left. */
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
	total++; // RACE
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
	if (argc == 2) {
		stop(&workers[0]);
		total = 2; // RACE
	}
	for (int i = 0; i < argc - 1; i++)
		stop(&workers[i]);
	total = argv[0][0]; // RACE
	return (int)total;
}
