/* A module frees on its way out of init what a timer uses that it has started before. */
#include "linux.h"

static int *counts;

static void
tick(struct timer_list *t)
{
	counts[0]++; // RACE
}

static struct timer_list timer;
static struct miscdevice device;

static int
start(void)
{
	counts = __kmalloc(64, GFP_KERNEL);
	if (!counts)
		return -12;
	init_timer_key(&timer, tick, 0, NULL, NULL);
	mod_timer(&timer, 100);
	if (misc_register(&device)) {
		kfree(counts); // RACE
		return -16;
	}
	return 0;
}

static void
finish(void)
{
	misc_deregister(&device);
	del_timer_sync(&timer);
	kfree(counts); // NORACE
}

module_init(start);
module_exit(finish);
