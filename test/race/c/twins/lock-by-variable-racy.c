/* The same where the threads make the lock when they find none: each may have its own. */
#include <pthread.h>
#include <stdlib.h>

struct lock {
	pthread_mutex_t mutex;
	long value;
};

static struct lock *have;
static int jobs;

static struct lock *
new_lock(void)
{
	struct lock *l = malloc(sizeof *l);

	pthread_mutex_init(&l->mutex, NULL);
	return l;
}

static void *
work(void *arg)
{
	if (!have)                 // RACE
		have = new_lock(); // RACE
	pthread_mutex_lock(&have->mutex);
	jobs--; // RACE
	pthread_mutex_unlock(&have->mutex);
	return arg;
}

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		pthread_t t;
		pthread_create(&t, NULL, work, argv[i]);
	}
	pthread_exit(NULL);
}
