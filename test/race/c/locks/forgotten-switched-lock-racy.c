/* A mutex that can be switched off, taken through a table of functions: nobody certainly holds it.
 * Objects without a type, from one pool, are taken for one another; one place has forgotten the lock. */
#include <pthread.h>
#include <stdlib.h>

struct mutex {
	pthread_mutex_t m;
};

struct base {
	long id;
	struct mutex *mutex;
	long hits, misses;
};

static void *pool[16];

static void
enter_thread(struct mutex *p)
{
	pthread_mutex_lock(&p->m);
}

static void
leave_thread(struct mutex *p)
{
	pthread_mutex_unlock(&p->m);
}

static void
do_nothing(struct mutex *p)
{
	(void)p;
}

static struct {
	void (*enter)(struct mutex *p);
	void (*leave)(struct mutex *p);
} methods = {do_nothing, do_nothing};

static void
enter(struct mutex *p)
{
	if (p)
		methods.enter(p);
}

static void
leave(struct mutex *p)
{
	if (p)
		methods.leave(p);
}

static void
count_hit(struct base *b)
{
	enter(b->mutex);
	b->hits++; // NORACE-LIKELY
	leave(b->mutex);
}

static void
add_miss(struct base *b)
{
	b->misses++; // RACE
}

static void
count_miss(struct base *b)
{
	enter(b->mutex);
	b->hits = 0; // NORACE-LIKELY
	add_miss(b);
	leave(b->mutex);
}

static void
forget(struct base *b)
{
	enter(b->mutex);
	b->misses -= b->hits; // RACE
	leave(b->mutex);
}

static void
reset(struct base *b)
{
	b->misses = 0; // RACE
}

static void *
work(void *arg)
{
	long k = (long)arg;

	count_hit(pool[k]);
	count_miss(pool[k]);
	forget(pool[k]);
	reset(pool[k]);
	return 0;
}

int
main(int argc, char **argv)
{
	pthread_t t;

	(void)argv;
	if (argc > 1) {
		methods.enter = enter_thread;
		methods.leave = leave_thread;
	}
	pool[0] = calloc(1, 160);
	pool[1] = calloc(1, 192);
	pool[2] = malloc(224);
	pool[3] = malloc(256);
	for (long i = 0; i < 4; i++) {
		struct base *b = pool[i];

		if (argc > 1) {
			b->mutex = malloc(sizeof *b->mutex);
			pthread_mutex_init(&b->mutex->m, NULL);
		}
	}
	for (long i = 0; i < 8; i++)
		pthread_create(&t, 0, work, (void *)(i % 4));
	return 0;
}
