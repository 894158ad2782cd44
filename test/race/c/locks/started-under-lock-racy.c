/* A thread that is started under a lock, and acquires it, is not behind everything: not behind what its
 * creator does after a release, in a later round with the lock held again, nor behind a thread
 * that outlives the section; nor before it has acquired, or if it only tries to; nor if some start
 * of it comes without the lock. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int late, again, lives, early, tried, loose;

static void *
child(void *arg)
{
	early++; // RACE
	if (!pthread_mutex_trylock(&m))
		pthread_mutex_unlock(&m);
	tried++; // RACE
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	late++;	 // RACE
	again++; // RACE
	lives++; // RACE
	return arg;
}

static void *
helper(void *arg)
{
	lives++; // RACE
	return arg;
}

static void *
unsure(void *arg)
{
	pthread_mutex_lock(&n);
	pthread_mutex_unlock(&n);
	loose++; // RACE
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t t, h, u;

	(void)argv;
	pthread_mutex_lock(&m);
	pthread_create(&t, NULL, child, NULL);
	pthread_create(&h, NULL, helper, NULL);
	early++; // RACE
	tried++; // RACE
	pthread_mutex_unlock(&m);
	late++; // RACE
	pthread_mutex_lock(&m);
	again++; // RACE
	pthread_mutex_unlock(&m);
	for (int i = 0; i < argc; i++) {
		if (i == 1)
			pthread_mutex_lock(&n);
		pthread_create(&u, NULL, unsure, NULL);
	}
	pthread_mutex_lock(&n);
	loose++; // RACE
	pthread_mutex_unlock(&n);
	return 0;
}
