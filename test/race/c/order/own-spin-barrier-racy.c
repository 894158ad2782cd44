/* They meet once a round, but not before the cells change again. */
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4 };

static atomic_int count, sense;
static _Thread_local int mine;
static double cell[THREADS], next[THREADS];

static void
meet(void)
{
	mine = !mine;
	if (atomic_fetch_add(&count, 1) == THREADS - 1) {
		atomic_store(&count, 0);
		atomic_store(&sense, mine);
	} else {
		while (atomic_load(&sense) != mine)
			;
	}
}

static void *
worker(void *arg)
{
	long id = (long)arg;

	for (int round = 0; round < 10; round++) {
		cell[id] = round; // RACE
		meet();
		next[id] = cell[(id + 1) % THREADS];
	}
	return NULL;
}

int
main(void)
{
	pthread_t t[THREADS];

	for (long i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return (int)next[0];
}
