// FLAGS: --entry start
/* Each kind of lock that the kernel has, taken by a reader, not taken, or of a count of two. */
#include "linux.h"

static spinlock_t spin;
static rwlock_t rw;
static struct mutex mutex;
static struct rw_semaphore rwsem;
static struct semaphore sem;
static int a, b, c, d, e;

static int
reader(void *arg)
{
	_raw_read_lock(&rw);
	b++; // RACE
	_raw_read_unlock(&rw);
	down_read(&rwsem);
	d++; // RACE
	up_read(&rwsem);
	return 0;
}

static int
trier(void *arg)
{
	if (!_raw_spin_trylock(&spin)) {
		a++; // RACE
		return -16;
	}
	_raw_spin_unlock(&spin);
	return 0;
}

static int
sleeper(void *arg)
{
	if (mutex_lock_interruptible(&mutex)) {
		c++; // RACE
		return -4;
	}
	mutex_unlock(&mutex);
	return 0;
}

static int
counter(void *arg)
{
	if (down_interruptible(&sem))
		return -4;
	e++; // RACE
	up(&sem);
	return 0;
}

int
start(void)
{
	sema_init(&sem, 2);
	kthread_run(reader, NULL, "reader");
	kthread_run(trier, NULL, "trier");
	kthread_run(sleeper, NULL, "sleeper");
	kthread_run(counter, NULL, "counter");
	_raw_spin_lock(&spin);
	a++; // RACE
	_raw_spin_unlock(&spin);
	_raw_read_lock(&rw);
	_printk("%d\n", b); // RACE
	_raw_read_unlock(&rw);
	down_read(&rwsem);
	_printk("%d\n", d); // RACE
	up_read(&rwsem);
	down(&sem);
	e++; // RACE
	up(&sem);
	if (mutex_trylock(&mutex)) {
		c++; // RACE
		mutex_unlock(&mutex);
	}
	return 0;
}
