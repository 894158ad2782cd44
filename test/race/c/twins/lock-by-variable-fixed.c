/* A lock that is allocated and kept in a variable, which is set anew when the threads that
 * used the old one have ended: that this is one lock for both sides is not shown. */
#include <pthread.h>
#include <stdlib.h>

struct lock {
	pthread_mutex_t mutex;
	long value;
};
struct pool {
	struct lock *have;
	int made;
};

static struct lock *have;
static struct pool in, out;
static int jobs;
static pthread_t *workers;
static int nworker;

static struct lock *
new_lock(void)
{
	struct lock *l = malloc(sizeof *l);

	pthread_mutex_init(&l->mutex, NULL);
	return l;
}

static void
possess(struct lock *l)
{
	pthread_mutex_lock(&l->mutex);
}

static void
release(struct lock *l)
{
	pthread_mutex_unlock(&l->mutex);
}

static void
take(struct pool *p)
{
	possess(p->have);
	p->made++; // NORACE-LIKELY
	release(p->have);
}

static void *
work(void *arg)
{
	possess(have);
	jobs--; // NORACE-LIKELY
	release(have);
	take(&in);
	take(&out);
	return arg;
}

static void
start(int n)
{
	if (!have) {
		have = new_lock();
		in.have = new_lock();
		out.have = new_lock();
	}
	workers = realloc(workers, (nworker + 1) * sizeof *workers);
	pthread_create(&workers[nworker++], NULL, work, NULL);
	possess(have);
	jobs += n; // NORACE-LIKELY
	release(have);
	take(&in);
}

static void
stop(void)
{
	while (nworker)
		pthread_join(workers[--nworker], NULL);
	free(have);
	have = NULL;
}

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		start(i);
		if (argv[i][0] == '-')
			stop();
	}
	stop();
	return 0;
}
