/* Like argument-taken-and-freed-fixed.c, but the thread goes on with its argument. */
#include <pthread.h>
#include <stdlib.h>

struct args {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	int taken, what;
};

static void
lock_args(void *arg)
{
	pthread_mutex_lock(&((struct args *)arg)->mutex);
}

static void
unlock_args(void *arg)
{
	pthread_mutex_unlock(&((struct args *)arg)->mutex);
}

static void
free_args(void *arg)
{
	free(arg); // RACE
}

static void *
work(void *arg)
{
	struct args *a = arg;
	int what;

	lock_args(a);
	what = a->what;
	a->taken = 1; // NORACE-LIKELY
	pthread_cond_signal(&a->cond);
	unlock_args(a);
	what += a->what; // RACE
	return (void *)(long)what;
}

static int
start(int what)
{
	struct args *a = malloc(sizeof *a);
	pthread_t t;

	pthread_mutex_init(&a->mutex, NULL);
	pthread_cond_init(&a->cond, NULL);
	lock_args(a);
	a->what = what;
	if (pthread_create(&t, NULL, work, a)) {
		unlock_args(a);
		free(a);
		return 1;
	}
	pthread_cleanup_push(free_args, a);
	pthread_cleanup_push(unlock_args, a);
	a->taken = 0; // NORACE-LIKELY
	while (!a->taken)
		pthread_cond_wait(&a->cond, &a->mutex);
	pthread_cleanup_pop(1);
	pthread_cleanup_pop(1);
	return 0;
}

int
main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < argc; i++)
		start(i);
	return 0;
}
