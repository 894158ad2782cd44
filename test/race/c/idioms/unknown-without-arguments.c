/* An unknown function that is given nothing, beside a call through a member. */
#include <pthread.h>

struct ops {
	void (*run)(int *);
};

extern void unknown_tick(void);

static int shared;

static void
add(int *p)
{
	(*p)++; // RACE
}

static struct ops ops = {add};

static void *
worker(void *arg)
{
	struct ops *o = arg;

	unknown_tick();
	o->run(&shared);
	return NULL;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, &ops);
	pthread_create(&b, NULL, worker, &ops);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
