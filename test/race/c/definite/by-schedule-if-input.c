/* A run with the race is known, but what decides that it comes is input, the system's choice, or a
 * wake-up that need not ever happen. */
#include <pthread.h>
#include <stdlib.h>

static int asked, woken, memory;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *
work(void *arg)
{
	if (arg)
		asked++; // RACE !definite
	pthread_mutex_lock(&lock);
	pthread_cond_wait(&cond, &lock);
	pthread_mutex_unlock(&lock);
	woken++; // RACE !definite
	return arg;
}

static void *
wakes(void *arg)
{
	char *room = malloc(1000);

	if (!room)
		memory++; // RACE !definite
	free(room);
	woken++; // RACE !definite
	pthread_mutex_lock(&lock);
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&lock);
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t t, u;

	pthread_create(&t, 0, work, argc > 2 ? argv : 0);
	asked++; // RACE !definite
	pthread_create(&u, 0, wakes, 0);
	memory++; // RACE !definite
	pthread_join(u, 0);
	return 0;
}
