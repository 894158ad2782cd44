/* Driver-like: ops in a table, an open count under a lock and a busy flag outside. */
#include <pthread.h>

struct dev {
	pthread_mutex_t lock;
	int opens;
	int busy;
};
struct ops {
	int (*open)(struct dev *);
	int (*ioctl)(struct dev *, int);
	void (*close)(struct dev *);
};

static int
d_open(struct dev *d)
{
	pthread_mutex_lock(&d->lock);
	d->opens++; // NORACE
	pthread_mutex_unlock(&d->lock);
	return 0;
}

static int
d_ioctl(struct dev *d, int c)
{
	if (d->busy) // RACE
		return -1;
	d->busy = c; // RACE
	return 0;
}

static void
d_close(struct dev *d)
{
	pthread_mutex_lock(&d->lock);
	if (--d->opens == 0) // NORACE
		d->busy = 0; // NORACE
	pthread_mutex_unlock(&d->lock);
}

static const struct ops ops = {d_open, d_ioctl, d_close};
static struct dev dev = {PTHREAD_MUTEX_INITIALIZER};

static void *
user(void *a)
{
	const struct ops *o = &ops;
	if (o->open(&dev) == 0) {
		o->ioctl(&dev, 1);
		o->close(&dev);
	}
	return a;
}

int
main(void)
{
	pthread_t t[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, user, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
