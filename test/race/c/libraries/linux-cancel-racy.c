/* A module waits for the wrong thing, in the wrong order, or not at all, and looks at what still changes. */
#include "linux.h"

static struct work_struct early, mine, other, again, flushed, each[2], late;
static struct delayed_work slow;
static struct timer_list timer, starter;
static int dev, two, first_count, second_count;
static int c_early, c_mine, c_again, c_flushed, c_each, c_slow, c_timer, c_two, c_late, c_child;
static struct workqueue_struct *queue;

static void do_early(struct work_struct *w) { c_early++; } // RACE
static void do_mine(struct work_struct *w) { c_mine++; } // RACE
static void do_other(struct work_struct *w) { }
static void do_each(struct work_struct *w) { c_each++; } // RACE
static void do_late(struct work_struct *w) { c_late++; } // RACE
static void do_slow(struct work_struct *w) { c_slow++; } // RACE
static void tick(struct timer_list *t) { c_timer++; } // RACE

/* Its work starts a timer, and that the work. */
static void
do_again(struct work_struct *w)
{
	c_again++; // RACE
	mod_timer(&starter, 10);
}

static void
start_again(struct timer_list *t)
{
	schedule_work(&again);
}

/* To flush it is to wait for one round. */
static void
do_flushed(struct work_struct *w)
{
	c_flushed++; // RACE
	schedule_work(&flushed);
}

static int
interrupt(int irq, void *arg)
{
	schedule_work(&early);
	return IRQ_HANDLED;
}

static int
interrupt_one(int irq, void *arg)
{
	first_count++; // RACE
	return IRQ_HANDLED;
}

static int
interrupt_two(int irq, void *arg)
{
	second_count++; // RACE
	return IRQ_HANDLED;
}

static int
start(void)
{
	INIT_WORK(&early, do_early);
	INIT_WORK(&mine, do_mine);
	INIT_WORK(&other, do_other);
	INIT_WORK(&again, do_again);
	INIT_WORK(&flushed, do_flushed);
	INIT_WORK(&late, do_late);
	INIT_WORK(&slow.work, do_slow);
	init_timer_key(&timer, tick, 0, NULL, NULL);
	init_timer_key(&starter, start_again, 0, NULL, NULL);
	queue = alloc_workqueue("q", 0, 0);
	for (int i = 0; i < 2; i++) {
		INIT_WORK(&each[i], do_each);
		schedule_work(&each[i]);
	}
	if (request_threaded_irq(5, interrupt, NULL, 0, "a", &dev))
		return -16;
	if (request_threaded_irq(6, interrupt_one, NULL, 0, "b", &two))
		return -16;
	if (request_threaded_irq(7, interrupt_two, NULL, 0, "c", &two))
		return -16;
	schedule_work(&mine);
	schedule_work(&other);
	schedule_work(&again);
	schedule_work(&flushed);
	queue_delayed_work_on(64, queue, &slow, 100);
	mod_timer(&timer, 100);
	return 0;
}

static void
finish(void)
{
	cancel_work_sync(&early); /* the interrupt starts it anew */
	free_irq(5, &dev);
	_printk("%d\n", c_early); // RACE
	cancel_work_sync(&other);
	_printk("%d\n", c_mine); // RACE
	cancel_work_sync(&again); /* the timer starts it anew */
	_printk("%d\n", c_again); // RACE
	flush_work(&flushed);
	_printk("%d\n", c_flushed); // RACE
	cancel_work_sync(&each[0]);
	_printk("%d\n", c_each); // RACE
	cancel_work_sync(&slow.work); /* its timer may still run */
	destroy_workqueue(queue);
	_printk("%d\n", c_slow); // RACE
	del_timer(&timer); /* does not wait */
	_printk("%d\n", c_timer); // RACE
	free_irq(6, &two); /* two interrupts have this name */
	_printk("%d %d\n", first_count, // RACE
		second_count); // RACE
	cancel_work_sync(&late);
	schedule_work(&late);
	_printk("%d\n", c_late); // RACE
}

module_init(start);
module_exit(finish);
