// FLAGS: --entry probe --entry clean_up
/* A driver: what the interrupt's handler and the others share is behind a spin lock; a count is atomic. */
#include "linux.h"

struct device {
	spinlock_t lock;
	int pending, handled;
	atomic_t seen;
	struct work_struct work;
};

static struct device *device;
static struct task_struct *thread;

static void
work(struct work_struct *w)
{
	struct device *d = container_of(w, struct device, work);
	unsigned long flags = _raw_spin_lock_irqsave(&d->lock);

	d->pending--; // NORACE
	_raw_spin_unlock_irqrestore(&d->lock, flags);
}

static int
handler(int irq, void *arg)
{
	struct device *d = arg;

	_raw_spin_lock(&d->lock);
	d->pending++; // NORACE
	_raw_spin_unlock(&d->lock);
	d->handled++; // NORACE
	atomic_inc(&d->seen);
	schedule_work(&d->work);
	return IRQ_HANDLED;
}

static int
watch(void *arg)
{
	struct device *d = arg;

	while (!kthread_should_stop()) {
		unsigned long flags = _raw_spin_lock_irqsave(&d->lock);
		_printk("%d\n", d->pending); // NORACE
		_raw_spin_unlock_irqrestore(&d->lock, flags);
		_printk("%d\n", atomic_read(&d->seen)); // NORACE
	}
	return 0;
}

int
probe(void)
{
	struct device *d = __kmalloc(sizeof *d, GFP_KERNEL);

	if (!d)
		return -12;
	d->pending = 0; // NORACE
	d->handled = 0; // NORACE
	INIT_WORK(&d->work, work);
	device = d; // NORACE
	if (request_threaded_irq(5, handler, NULL, 0, "device", d)) {
		kfree(d); // NORACE
		return -16;
	}
	thread = kthread_run(watch, d, "watch"); // NORACE
	return 0;
}

void
clean_up(void)
{
	kthread_stop(thread); // NORACE
}
