/* A lock that the creator holds where it starts a thread does not keep it apart from others:
 * given back before the thread has ended, by a wait, on some way or by another thread; not held
 * at every start; or the others are the creator itself and what it started under the same lock. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t given = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int early, waited, some, twice, own, siblings, handed;

static void *
set_early(void *arg)
{
	early = 1; // RACE
	return arg;
}

static void *
set_waited(void *arg)
{
	waited = 1; // RACE
	return arg;
}

static void *
set_some(void *arg)
{
	some = 1; // RACE
	return arg;
}

static void *
set_twice(void *arg)
{
	twice = 1; // RACE
	return arg;
}

static void *
set_own(void *arg)
{
	own = 1; // RACE
	return arg;
}

static void *
first(void *arg)
{
	siblings = 1; // RACE
	return arg;
}

static void *
second(void *arg)
{
	siblings = 2; // RACE
	return arg;
}

static void *
gives_back(void *arg)
{
	pthread_mutex_unlock(&given);
	handed = 1; // RACE
	return arg;
}

static void *
other(void *arg)
{
	pthread_mutex_lock(&m);
	early++;  // RACE
	waited++; // RACE
	some++;	  // RACE
	twice++;  // RACE
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&given);
	handed++; // RACE
	pthread_mutex_unlock(&given);
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t o, a, b, c, d, e, f, g, h;

	(void)argv;
	pthread_create(&o, NULL, other, NULL);
	pthread_mutex_lock(&m);
	pthread_create(&a, NULL, set_early, NULL);
	pthread_mutex_unlock(&m);
	pthread_join(a, NULL);

	pthread_mutex_lock(&m);
	pthread_create(&b, NULL, set_waited, NULL);
	pthread_cond_wait(&cond, &m);
	pthread_join(b, NULL);
	pthread_create(&c, NULL, set_some, NULL);
	if (argc > 1)
		pthread_join(c, NULL);
	pthread_mutex_unlock(&m);

	for (int i = 0; i < 2; i++) {
		if (i)
			pthread_mutex_lock(&m);
		pthread_create(&d, NULL, set_twice, NULL);
		pthread_join(d, NULL);
	}
	pthread_create(&e, NULL, set_own, NULL);
	own++; // RACE
	pthread_create(&f, NULL, first, NULL);
	pthread_create(&g, NULL, second, NULL);
	pthread_join(e, NULL);
	pthread_join(f, NULL);
	pthread_join(g, NULL);
	pthread_mutex_unlock(&m);

	pthread_mutex_lock(&given);
	pthread_create(&h, NULL, gives_back, NULL);
	pthread_join(h, NULL);
	return 0;
}
