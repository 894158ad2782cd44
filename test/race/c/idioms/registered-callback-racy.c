/* A callback registered in a struct runs in the event thread, beside main. */
#include <pthread.h>

struct timer {
	void (*fire)(void *);
	void *data;
};

struct counter {
	pthread_mutex_t lock;
	int ticks;
};

static struct timer timer;
static struct counter counter = {PTHREAD_MUTEX_INITIALIZER, 0};

static void
tick(void *data)
{
	struct counter *c = data;

	c->ticks++; // RACE
}

static void *
event_loop(void *arg)
{
	for (int i = 0; i < 5; i++)
		timer.fire(timer.data); // NORACE
	return arg;
}

int
main(void)
{
	pthread_t t;
	int n;

	timer.fire = tick;
	timer.data = &counter;
	pthread_create(&t, NULL, event_loop, NULL);
	pthread_mutex_lock(&counter.lock);
	n = counter.ticks; // RACE
	pthread_mutex_unlock(&counter.lock);
	pthread_join(t, NULL);
	return n;
}
