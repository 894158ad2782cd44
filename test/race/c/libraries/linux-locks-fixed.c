// FLAGS: --entry start
/* Each kind of lock that the kernel has guards a number of its own. */
#include "linux.h"

static spinlock_t spin;
static rwlock_t rw;
static struct mutex mutex;
static struct rw_semaphore rwsem;
static struct semaphore sem;
static int a, b, c, d, e;

static int
worker(void *arg)
{
	if (_raw_spin_trylock(&spin)) {
		a++; // NORACE
		_raw_spin_unlock(&spin);
	}
	_raw_write_lock(&rw);
	b++; // NORACE
	_raw_write_unlock(&rw);
	if (mutex_lock_interruptible(&mutex))
		return -4;
	c++; // NORACE
	mutex_unlock(&mutex);
	down_write(&rwsem);
	d++; // NORACE
	up_write(&rwsem);
	if (down_interruptible(&sem))
		return -4;
	e++; // NORACE
	up(&sem);
	return 0;
}

int
start(void)
{
	sema_init(&sem, 1);
	kthread_run(worker, NULL, "worker");
	_raw_spin_lock(&spin);
	a++; // NORACE
	_raw_spin_unlock(&spin);
	_raw_read_lock(&rw);
	_printk("%d\n", b); // NORACE
	_raw_read_unlock(&rw);
	if (mutex_trylock(&mutex)) {
		c++; // NORACE
		mutex_unlock(&mutex);
	}
	down_read(&rwsem);
	_printk("%d\n", d); // NORACE
	up_read(&rwsem);
	down(&sem);
	e++; // NORACE
	up(&sem);
	return 0;
}
