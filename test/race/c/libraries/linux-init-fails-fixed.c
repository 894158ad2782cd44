/* A module whose init function has failed is not left by its exit function. */
#include "linux.h"

static int *counts;

static void
tick(struct timer_list *t)
{
	counts[0]++; // NORACE
}

static struct timer_list timer;

static int
start(void)
{
	counts = __kmalloc(64, GFP_KERNEL);
	if (!counts)
		return -12;
	init_timer_key(&timer, tick, 0, NULL, NULL);
	mod_timer(&timer, 100);
	return 0;
}

static void
finish(void)
{
	del_timer_sync(&timer);
	kfree(counts); // NORACE
}

module_init(start);
module_exit(finish);
