/* A module that does not wait for its timer. */
#include <stdbool.h>
#include <stddef.h>

typedef struct {
	unsigned raw;
} spinlock_t, rwlock_t;
typedef struct {
	int counter;
} atomic_t;
struct list_head {
	struct list_head *next, *prev;
};
struct mutex {
	long owner;
	spinlock_t wait;
	struct list_head waiters;
};
struct rw_semaphore {
	long count;
	struct list_head waiters;
};
struct semaphore {
	spinlock_t lock;
	unsigned count;
	struct list_head waiters;
};
struct completion {
	unsigned done;
	struct list_head wait;
};
struct rcu_head {
	struct rcu_head *next;
	void (*func)(struct rcu_head *);
};
struct work_struct {
	long data;
	struct list_head entry;
	void (*func)(struct work_struct *);
};
struct timer_list {
	struct list_head entry;
	unsigned long expires;
	void (*function)(struct timer_list *);
	unsigned flags;
};
struct inode {
	unsigned mode;
	void *i_private;
};
struct file {
	long pos;
	void *private_data;
};
struct file_operations {
	void *owner;
	long (*read)(struct file *, char *, size_t, long *);
	long (*write)(struct file *, const char *, size_t, long *);
	long (*unlocked_ioctl)(struct file *, unsigned, unsigned long);
	int (*open)(struct inode *, struct file *);
	int (*release)(struct inode *, struct file *);
};
struct miscdevice {
	int minor;
	const char *name;
	const struct file_operations *fops;
};
struct task_struct;
struct workqueue_struct;

#define container_of(p, type, member) ((type *)((char *)(p)-offsetof(type, member)))
#define INIT_WORK(w, f) ((w)->data = 0, (w)->func = (f))
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define GFP_KERNEL 0
#define module_init(f) int init_module(void) __attribute__((alias(#f)))
#define module_exit(f) void cleanup_module(void) __attribute__((alias(#f)))
#define IRQ_HANDLED 1

void _raw_spin_lock(spinlock_t *);
void _raw_spin_unlock(spinlock_t *);
unsigned long _raw_spin_lock_irqsave(spinlock_t *);
void _raw_spin_unlock_irqrestore(spinlock_t *, unsigned long);
int _raw_spin_trylock(spinlock_t *);
void _raw_read_lock(rwlock_t *);
void _raw_read_unlock(rwlock_t *);
void _raw_write_lock(rwlock_t *);
void _raw_write_unlock(rwlock_t *);
void mutex_lock(struct mutex *);
int mutex_lock_interruptible(struct mutex *);
int mutex_trylock(struct mutex *);
void mutex_unlock(struct mutex *);
void down_read(struct rw_semaphore *);
void up_read(struct rw_semaphore *);
void down_write(struct rw_semaphore *);
void up_write(struct rw_semaphore *);
void sema_init(struct semaphore *, int);
void down(struct semaphore *);
int down_interruptible(struct semaphore *);
void up(struct semaphore *);
void init_completion(struct completion *);
void complete(struct completion *);
void wait_for_completion(struct completion *);
unsigned long wait_for_completion_timeout(struct completion *, unsigned long);
void rcu_read_lock(void);
void rcu_read_unlock(void);
void synchronize_rcu(void);
void call_rcu(struct rcu_head *, void (*)(struct rcu_head *));
struct task_struct *kthread_create_on_node(int (*)(void *), void *, int, const char *, ...);
int wake_up_process(struct task_struct *);
int kthread_stop(struct task_struct *);
bool kthread_should_stop(void);
bool queue_work_on(int, struct workqueue_struct *, struct work_struct *);
bool cancel_work_sync(struct work_struct *);
bool flush_work(struct work_struct *);
struct delayed_work {
	struct work_struct work;
	struct timer_list timer;
};
bool queue_delayed_work_on(int, struct workqueue_struct *, struct delayed_work *, unsigned long);
bool cancel_delayed_work_sync(struct delayed_work *);
struct workqueue_struct *alloc_workqueue(const char *, unsigned, int, ...);
void __flush_workqueue(struct workqueue_struct *);
void destroy_workqueue(struct workqueue_struct *);
void init_timer_key(struct timer_list *, void (*)(struct timer_list *), unsigned, const char *, void *);
int mod_timer(struct timer_list *, unsigned long);
int del_timer(struct timer_list *);
int del_timer_sync(struct timer_list *);
int request_threaded_irq(unsigned, int (*)(int, void *), int (*)(int, void *), unsigned long, const char *, void *);
const void *free_irq(unsigned, void *);
int misc_register(struct miscdevice *);
void misc_deregister(struct miscdevice *);
void *__kmalloc(size_t, unsigned);
void kfree(const void *);
int _printk(const char *, ...);
void atomic_inc(atomic_t *);
int atomic_read(const atomic_t *);
bool atomic_dec_and_test(atomic_t *);
unsigned long copy_from_user(void *, const void *, unsigned long);
unsigned long copy_to_user(void *, const void *, unsigned long);
void msleep(unsigned);

extern struct workqueue_struct *system_wq;
#define schedule_work(w) queue_work_on(64, system_wq, w)
#define kthread_run(f, x, name) \
	({ \
		struct task_struct *kthread = kthread_create_on_node(f, x, -1, name); \
		wake_up_process(kthread); \
		kthread; \
	})
/* A module whose init function has failed is not left by its exit function. */


static int *counts;

static void
tick(struct timer_list *t)
{
	counts[0]++; 
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
	del_timer(&timer);
	kfree(counts); 
}

module_init(start);
module_exit(finish);
