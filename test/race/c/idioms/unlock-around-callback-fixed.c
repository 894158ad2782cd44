/* The lock is given up around a callback, which takes it itself where it needs it. */
#include <pthread.h>

struct object {
	pthread_mutex_t lock;
	int busy, events;
	void (*notify)(struct object *);
};

static void
on_change(struct object *o)
{
	pthread_mutex_lock(&o->lock);
	o->events++; // NORACE
	pthread_mutex_unlock(&o->lock);
}

static struct object object = {PTHREAD_MUTEX_INITIALIZER, 0, 0, on_change};

static void
change(struct object *o)
{
	pthread_mutex_lock(&o->lock);
	o->busy = 1; // NORACE
	pthread_mutex_unlock(&o->lock);
	o->notify(o);
	pthread_mutex_lock(&o->lock);
	o->busy = 0; // NORACE
	pthread_mutex_unlock(&o->lock);
}

static void *
worker(void *arg)
{
	change(arg);
	return NULL;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, &object);
	pthread_create(&b, NULL, worker, &object);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
