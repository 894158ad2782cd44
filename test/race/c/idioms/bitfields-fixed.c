/* Two flags in separate bytes do not disturb each other. */
#include <pthread.h>

static struct {
	unsigned char busy;
	unsigned char dirty;
} flags;

static void *
work(void *arg)
{
	flags.busy = 1; // NORACE
	return arg;
}

static void *
spoil(void *arg)
{
	flags.dirty = 1; // NORACE
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, spoil, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return flags.busy; // NORACE
}
