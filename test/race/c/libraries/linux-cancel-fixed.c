/* A module ends what it has begun before it frees what that uses: interrupt, timer, work, queue, device. */
#include "linux.h"

struct state {
	struct work_struct work;
	struct timer_list timer;
	struct delayed_work slow;
	int interrupts, ticks, works, slows, queued, again;
	char *text;
	struct work_struct queued_work, busy;
};

static struct state *state;
static struct workqueue_struct *queue;

static void
work(struct work_struct *w)
{
	struct state *s = container_of(w, struct state, work);

	s->works++; // NORACE
}

static int
handler(int irq, void *arg)
{
	struct state *s = arg;

	s->interrupts++; // NORACE
	schedule_work(&s->work);
	return IRQ_HANDLED;
}

static void
tick(struct timer_list *t)
{
	struct state *s = container_of(t, struct state, timer);

	s->ticks++; // NORACE
	mod_timer(&s->timer, 100);
}

static void
slow(struct work_struct *w)
{
	struct state *s = container_of(w, struct state, slow.work);

	s->slows++; // NORACE
	queue_delayed_work_on(64, queue, &s->slow, 100);
}

static void
queued(struct work_struct *w)
{
	struct state *s = container_of(w, struct state, queued_work);

	s->queued++; // NORACE
}

/* Starts itself again, and is cancelled all the same. */
static void
busy(struct work_struct *w)
{
	struct state *s = container_of(w, struct state, busy);

	s->again++; // NORACE
	schedule_work(&s->busy);
}

static long
text_read(struct file *file, char *to, size_t n, long *pos)
{
	return copy_to_user(to, state->text, 64) ? -14 : 64; // NORACE
}

static const struct file_operations ops = {.read = text_read};
static struct miscdevice device = {255, "text", &ops};

static int
start(void)
{
	struct state *s = __kmalloc(sizeof *s, GFP_KERNEL);

	if (!s)
		return -12;
	state = s; // NORACE
	s->text = __kmalloc(64, GFP_KERNEL);
	queue = alloc_workqueue("slow", 0, 0); // NORACE
	if (!s->text || !queue)
		return -12;
	s->interrupts = s->ticks = s->works = s->slows = s->queued = 0; // NORACE
	INIT_WORK(&s->work, work);
	INIT_WORK(&s->slow.work, slow);
	INIT_WORK(&s->queued_work, queued);
	INIT_WORK(&s->busy, busy);
	init_timer_key(&s->timer, tick, 0, NULL, NULL);
	if (misc_register(&device)) {
		kfree(s->text); // NORACE
		kfree(s);       // NORACE
		return -16;
	}
	if (request_threaded_irq(5, handler, NULL, 0, "device", s)) {
		misc_deregister(&device);
		kfree(s->text); // NORACE
		kfree(s);       // NORACE
		return -16;
	}
	mod_timer(&s->timer, 100);
	queue_delayed_work_on(64, queue, &s->slow, 100);
	queue_work_on(64, queue, &s->queued_work);
	schedule_work(&s->busy);
	__flush_workqueue(queue);
	s->queued = 0; // NORACE
	return 0;
}

static void
finish(void)
{
	free_irq(5, state);
	cancel_work_sync(&state->work);
	_printk("%d %d\n", state->interrupts, state->works); // NORACE
	del_timer_sync(&state->timer);
	_printk("%d\n", state->ticks); // NORACE
	cancel_delayed_work_sync(&state->slow);
	_printk("%d\n", state->slows); // NORACE
	cancel_work_sync(&state->busy);
	_printk("%d\n", state->again); // NORACE
	destroy_workqueue(queue);
	misc_deregister(&device);
	kfree(state->text); // NORACE
	kfree(state);       // NORACE
}

module_init(start);
module_exit(finish);
