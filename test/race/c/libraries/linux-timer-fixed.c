// FLAGS: --entry start
/* A kernel timer that starts itself again never runs twice at once; what it shares with a thread is behind a lock. */
#include "linux.h"

struct clock {
	struct timer_list timer;
	spinlock_t lock;
	int ticks, shown;
};

static void
tick(struct timer_list *t)
{
	struct clock *c = container_of(t, struct clock, timer);

	c->ticks++; // NORACE
	_raw_spin_lock(&c->lock);
	c->shown = c->ticks; // NORACE
	_raw_spin_unlock(&c->lock);
	mod_timer(&c->timer, 100);
}

static int
show(void *arg)
{
	struct clock *c = arg;

	_raw_spin_lock(&c->lock);
	_printk("%d\n", c->shown); // NORACE
	_raw_spin_unlock(&c->lock);
	return 0;
}

int
start(void)
{
	struct clock *c = __kmalloc(sizeof *c, GFP_KERNEL);

	c->ticks = c->shown = 0; // NORACE
	init_timer_key(&c->timer, tick, 0, NULL, NULL);
	kthread_run(show, c, "show");
	mod_timer(&c->timer, 100);
	return 0;
}
