/* A sequence lock: who reads beside a writer reads again. */
#include "linux.h"

typedef struct {
	unsigned sequence;
	spinlock_t lock;
} seqlock_t;

static inline unsigned
read_seqbegin(const seqlock_t *l)
{
	return READ_ONCE(l->sequence);
}

static inline unsigned
read_seqretry(const seqlock_t *l, unsigned start)
{
	return READ_ONCE(l->sequence) != start;
}

static inline void
write_seqlock(seqlock_t *l)
{
	_raw_spin_lock(&l->lock);
	l->sequence++;
}

static inline void
write_sequnlock(seqlock_t *l)
{
	l->sequence++;
	_raw_spin_unlock(&l->lock);
}

static seqlock_t lock;
static long x, y;

static void
tick(struct timer_list *t)
{
	write_seqlock(&lock);
	x++; // NORACE
	y--; // NORACE
	write_sequnlock(&lock);
}

static struct timer_list timer;

static int
start(void)
{
	unsigned seq;
	long sum;

	init_timer_key(&timer, tick, 0, NULL, NULL);
	mod_timer(&timer, 100);
	do {
		seq = read_seqbegin(&lock);
		sum = x; // NORACE
		sum += y; // NORACE
	} while (read_seqretry(&lock, seq));
	_printk("%ld\n", sum);
	return 0;
}

module_init(start);
