/* A wrapper says by a bool whether it took the lock; its caller reads it the wrong way round. */
#include <pthread.h>
#include <stdbool.h>

struct cache {
	pthread_mutex_t lock;
	int used;
};

static struct cache cache = {PTHREAD_MUTEX_INITIALIZER, 0};

static bool
cache_try_enter(struct cache *c)
{
	return pthread_mutex_trylock(&c->lock) == 0;
}

static void
cache_leave(struct cache *c)
{
	pthread_mutex_unlock(&c->lock);
}

static void *
user(void *arg)
{
	struct cache *c = arg;

	if (!cache_try_enter(c)) {
		c->used++; // RACE
		return NULL;
	}
	c->used += 2; // RACE
	cache_leave(c);
	return NULL;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, user, &cache);
	pthread_create(&b, NULL, user, &cache);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
