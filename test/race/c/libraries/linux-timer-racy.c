// FLAGS: --entry start
/* A kernel timer that starts itself again counts what a thread looks at. */
#include "linux.h"

struct clock {
	struct timer_list timer;
	spinlock_t lock;
	int ticks;
};

static void
tick(struct timer_list *t)
{
	struct clock *c = container_of(t, struct clock, timer);

	c->ticks++; // RACE
	mod_timer(&c->timer, 100);
}

static int
show(void *arg)
{
	struct clock *c = arg;

	_raw_spin_lock(&c->lock);
	_printk("%d\n", c->ticks); // RACE
	_raw_spin_unlock(&c->lock);
	return 0;
}

int
start(void)
{
	struct clock *c = __kmalloc(sizeof *c, GFP_KERNEL);

	init_timer_key(&c->timer, tick, 0, NULL, NULL);
	kthread_run(show, c, "show");
	mod_timer(&c->timer, 100);
	return 0;
}
