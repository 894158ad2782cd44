/* A struct whose own mutex, which can be switched off, guards all of its members: one that is read at a single
 * place, deep below callers of which some are not seen to hold it, is guarded as the others are. All do. */
#include <pthread.h>
#include <stdlib.h>

struct mutex {
	pthread_mutex_t m;
};

struct base {
	long id;
	struct mutex *mutex;
	long hits, misses, bytes, errors;
	void (*hook)(long);
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
count(struct base *b, long n)
{
	enter(b->mutex);
	b->hits++;     // NORACE-LIKELY
	b->misses++;   // NORACE-LIKELY
	b->bytes += n; // NORACE-LIKELY
	b->errors++;   // NORACE-LIKELY
	leave(b->mutex);
}

static void
reset(struct base *b)
{
	enter(b->mutex);
	b->hits = 0;   // NORACE-LIKELY
	b->misses = 0; // NORACE-LIKELY
	b->bytes = 0;  // NORACE-LIKELY
	b->errors = 0; // NORACE-LIKELY
	leave(b->mutex);
}

static void
report(struct base *b)
{
	if (b->hook)            // NORACE-LIKELY
		b->hook(b->id); // NORACE-LIKELY
}

static void
set_hook(struct base *b, void (*hook)(long))
{
	enter(b->mutex);
	b->hook = hook; // NORACE-LIKELY
	leave(b->mutex);
}

static void
step(struct base *b)
{
	enter(b->mutex);
	report(b);
	leave(b->mutex);
}

/* Of the callers' own lock, which is the same. */
static void
close_all(struct base *b)
{
	report(b);
}

static void
say(long id)
{
	(void)id;
}

static void *
work(void *arg)
{
	long k = (long)arg;

	count(pool[k], k);
	reset(pool[k]);
	set_hook(pool[k], say);
	step(pool[k]);
	if (k > 8)
		close_all(pool[k]);
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
