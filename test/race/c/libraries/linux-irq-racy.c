// FLAGS: --entry probe --entry clean_up
/* A driver: the work that an interrupt's handler queues, and a thread, look at what they share without the lock. */
#include "linux.h"

struct device {
	spinlock_t lock;
	int pending;
	atomic_t seen;
	struct work_struct work;
};

static struct task_struct *thread;

static void
work(struct work_struct *w)
{
	struct device *d = container_of(w, struct device, work);

	d->pending--; // RACE
}

static int
handler(int irq, void *arg)
{
	struct device *d = arg;

	_raw_spin_lock(&d->lock);
	d->pending++; // RACE
	_raw_spin_unlock(&d->lock);
	atomic_inc(&d->seen); // RACE
	schedule_work(&d->work);
	return IRQ_HANDLED;
}

static int
watch(void *arg)
{
	struct device *d = arg;

	while (!kthread_should_stop())
		_printk("%d %d\n", d->pending, d->seen.counter); // RACE
	return 0;
}

int
probe(void)
{
	struct device *d = __kmalloc(sizeof *d, GFP_KERNEL);

	if (!d)
		return -12;
	INIT_WORK(&d->work, work);
	if (request_threaded_irq(5, handler, NULL, 0, "device", d))
		return -16;
	d->pending = 0; // RACE
	thread = kthread_run(watch, d, "watch");
	return 0;
}

void
clean_up(void)
{
	kthread_stop(thread);
}
