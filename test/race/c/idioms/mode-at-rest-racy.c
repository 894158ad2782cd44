/* Helpers are told by a variable to postpone, but nobody waits for them before it is set back. */
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
	done++; // RACE
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
}

static void
rest(void)
{
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
		rest();
		handle(&own);
	}
	return 0;
}
