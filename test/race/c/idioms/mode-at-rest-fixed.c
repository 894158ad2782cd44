/* Helpers run only in a phase that the main thread sets in a variable: what is done outside it, they postpone. */
#include <pthread.h>
#include <stdatomic.h>

enum { HELPERS = 3 };

static int phase; /* 0: at rest */
static atomic_int pending[HELPERS];
static long done;
static int postponed[HELPERS];

static void
finish(void)
{
	done++; // NORACE-LIKELY
}

/* Both sides come here. */
static void
handle(int *later)
{
	if (phase != 0) {
		*later = 1;
		return;
	}
	finish();
}

static void *
help(void *arg)
{
	long id = (long)arg;

	for (;;) {
		while (!atomic_load(&pending[id]))
			;
		handle(&postponed[id]);
		atomic_store(&pending[id], 0);
	}
	return NULL;
}

static void
round_of_work(void)
{
	phase = 1;
	for (int i = 0; i < HELPERS; i++)
		atomic_store(&pending[i], 1);
	for (int i = 0; i < HELPERS; i++)
		while (atomic_load(&pending[i]))
			;
	phase = 0;
}

int
main(int argc, char **argv)
{
	pthread_t t;
	int own = 0;

	(void)argv;
	for (long i = 0; i < HELPERS; i++)
		pthread_create(&t, NULL, help, (void *)i);
	while (argc++ < 100) {
		round_of_work();
		handle(&own);
	}
	return 0;
}
