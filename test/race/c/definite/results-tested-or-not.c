/* Before each of these races something may wait for ever, or decides that it does not come: a signal
 * that need not come, input, a child, a wait with a limit, and what lies behind undefined behaviour. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int paused, typed, waited, timed, freed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *
pauses(void *arg)
{
	pause();
	paused++; // RACE !definite
	return arg;
}

static void *
types(void *arg)
{
	char line[8];

	if (read(0, line, sizeof line) < 0)
		return NULL;
	typed++; // RACE !definite
	return arg;
}

static void *
waits(void *arg)
{
	wait(NULL);
	waited++; // RACE !definite
	return arg;
}

static void *
times(void *arg)
{
	static const struct timespec soon = {1, 0};

	pthread_mutex_lock(&lock);
	if (pthread_cond_timedwait(&cond, &lock, &soon)) {
		pthread_mutex_unlock(&lock);
		return NULL;
	}
	pthread_mutex_unlock(&lock);
	timed++; // RACE !definite
	return arg;
}

static void *
frees(void *arg)
{
	int *p = malloc(sizeof *p);

	free(p);
	*p = 1;  /* behind its end anything may come */
	freed++; // RACE !definite
	return arg;
}

int
main(void)
{
	static void *(*const work[])(void *) = {pauses, types, waits, times, frees};
	pthread_t t;

	if (!pthread_create(&t, NULL, pauses, NULL))
		paused++; // RACE !definite
	if (!pthread_create(&t, NULL, types, NULL))
		typed++; // RACE !definite
	if (!pthread_create(&t, NULL, waits, NULL))
		waited++; // RACE !definite
	if (!pthread_create(&t, NULL, times, NULL))
		timed++; // RACE !definite
	if (!pthread_create(&t, NULL, frees, NULL))
		freed++; // RACE !definite
	return work[0] == NULL;
}
