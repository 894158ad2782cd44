/* Two events of one library loop: each callback has its own argument, and a thread uses one of them */
#include <pthread.h>
#include <stdlib.h>

struct event;
struct event_base;
struct event_base *event_base_new(void);
struct event *event_new(struct event_base *, int, short, void (*)(int, short, void *), void *);
int event_base_dispatch(struct event_base *);

struct clock {
	long ticks;
};
struct conn {
	long bytes;
};
static struct clock the_clock;
static struct conn the_conn;

static void
on_tick(int fd, short what, void *arg)
{
	struct clock *c = arg;

	c->ticks++; // NORACE
}

static void
on_read(int fd, short what, void *arg)
{
	struct conn *c = arg;

	c->bytes++; // RACE
}

static void *
worker(void *arg)
{
	the_conn.bytes = 0; // RACE
	return arg;
}

int
main(void)
{
	struct event_base *base = event_base_new();
	pthread_t t;

	event_new(base, -1, 0, on_tick, &the_clock);
	event_new(base, 0, 0, on_read, &the_conn);
	pthread_create(&t, NULL, worker, NULL);
	event_base_dispatch(base);
	return 0;
}
