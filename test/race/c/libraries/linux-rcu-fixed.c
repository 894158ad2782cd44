// FLAGS: --entry start
/* Readers of the kernel's kind look at what is current; what was is freed when they have ended. */
#include "linux.h"

struct config {
	int level;
	struct rcu_head rcu;
};

static struct config *current_config;

static int
reader(void *arg)
{
	struct config *c;

	rcu_read_lock();
	c = __atomic_load_n(&current_config, __ATOMIC_ACQUIRE); // NORACE
	if (c)
		_printk("%d\n", c->level); // NORACE-LIKELY
	rcu_read_unlock();
	return 0;
}

static void
reclaim(struct rcu_head *head)
{
	kfree(container_of(head, struct config, rcu)); // NORACE-LIKELY
}

static int
change(int level)
{
	struct config *c = __kmalloc(sizeof *c, GFP_KERNEL), *old;

	if (!c)
		return -12;
	c->level = level; // NORACE
	old = __atomic_exchange_n(&current_config, c, __ATOMIC_SEQ_CST); // NORACE
	if (old)
		call_rcu(&old->rcu, reclaim);
	return 0;
}

int
start(void)
{
	change(1);
	kthread_run(reader, NULL, "reader");
	change(2);
	return 0;
}
