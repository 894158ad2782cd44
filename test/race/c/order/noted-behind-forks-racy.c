/* Pools that note too few threads, too late, or whose number was read before. */
#include <pthread.h>
#include <stdlib.h>

struct pool {
	pthread_t threads[4];
	size_t n;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pool few, late, failed, early, again;
static int c_few, c_late, c_failed, c_early, c_again;

#define WORKER(name)                                                                               \
	static void *work_##name(void *arg)                                                        \
	{                                                                                          \
		pthread_mutex_lock(&lock);                                                         \
		add_##name();                                                                      \
		pthread_mutex_unlock(&lock);                                                       \
		return arg;                                                                        \
	}
static void add_few(void) { c_few++; } // RACE
static void add_late(void) { c_late++; } // RACE possible
static void add_failed(void) { c_failed++; } // RACE possible
static void add_early(void) { c_early++; } // RACE
static void add_again(void) { c_again++; } // RACE possible
WORKER(few)
WORKER(late)
WORKER(failed)
WORKER(early)
WORKER(again)

static void
join_all(pthread_t *h, size_t n)
{
	for (size_t i = 0; i < n; i++)
		pthread_join(h[i], NULL);
}

/* One less than there are. */
static void
start_few(size_t n)
{
	few.n = 0;
	for (size_t i = 0; i < n; i++)
		pthread_create(&few.threads[i], NULL, work_few, NULL);
	few.n = n - 1;
}

static void
stop_few(void)
{
	for (size_t i = 0; i < few.n; i++)
		pthread_join(few.threads[i], NULL);
	c_few = 0; // RACE
}

static void
stop_late(void)
{
	for (size_t i = 0; i < late.n; i++)
		pthread_join(late.threads[i], NULL);
	c_late = 0; // RACE possible
}

/* It is noted only when they were to have been joined. */
static void
start_late(size_t n)
{
	late.n = 0;
	for (size_t i = 0; i < n; i++)
		pthread_create(&late.threads[i], NULL, work_late, NULL);
	stop_late();
	late.n = n;
}

static void
stop_failed(void)
{
	for (size_t i = 0; i < failed.n; i++)
		pthread_join(failed.threads[i], NULL);
	c_failed = 0; // RACE possible
}

/* Where one could not be started, those before it are not noted. */
static int
start_failed(size_t n)
{
	failed.n = 0;
	for (size_t i = 0; i < n; i++)
		if (pthread_create(&failed.threads[i], NULL, work_failed, NULL)) {
			stop_failed();
			return 1;
		}
	failed.n = n;
	return 0;
}

static void
start_early(size_t n)
{
	early.n = 0;
	for (size_t i = 0; i < n; i++)
		pthread_create(&early.threads[i], NULL, work_early, NULL);
	early.n = n;
}

/* What was read is what there were before. */
static void
run_early(void)
{
	size_t n = early.n;

	start_early(4);
	join_all(early.threads, n);
	c_early = 0; // RACE
}

static void
stop_again(void)
{
	for (size_t i = 0; i < again.n; i++)
		pthread_join(again.threads[i], NULL);
	c_again = 0; // RACE possible
}

/* Those of the first time are forgotten where the second time finds nothing to do. */
static void
start_again(size_t n, int none)
{
	again.n = 0;
	if (none)
		return;
	for (size_t i = 0; i < n; i++)
		pthread_create(&again.threads[i], NULL, work_again, NULL);
	again.n = n;
}

int
main(int argc, char **argv)
{
	(void)argv;
	start_few(4);
	stop_few();
	start_late(4);
	if (!start_failed(4))
		stop_failed();
	run_early();
	start_again(4, 0);
	start_again(4, argc > 1);
	stop_again();
	return 0;
}
