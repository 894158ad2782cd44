/* Each of several devices has a timer: one does not keep the others from running. */
// FLAGS: --entry init_module
struct timer_list {
	long expires;
	void (*function)(struct timer_list *);
};

void timer_setup(struct timer_list *, void (*)(struct timer_list *), unsigned);
int mod_timer(struct timer_list *, unsigned long);
void *kmalloc(unsigned long, unsigned);

struct counter {
	long ticks;
	struct timer_list timer;
};

static long total;

static void
on_timer(struct timer_list *t)
{
	struct counter *c = (struct counter *)((char *)t - __builtin_offsetof(struct counter, timer));

	c->ticks++; // NORACE
	total++; // RACE
	mod_timer(&c->timer, 10);
}

int
init_module(void)
{
	for (int i = 0; i < 4; i++) {
		struct counter *c = kmalloc(sizeof *c, 0);
		if (!c)
			return -1;
		c->ticks = 0;
		timer_setup(&c->timer, on_timer, 0);
		mod_timer(&c->timer, 10);
	}
	return (int)total;
}
