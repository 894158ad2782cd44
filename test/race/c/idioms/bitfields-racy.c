/* Two bit-fields share a word: setting one rewrites the other. */
#include <pthread.h>

static struct {
	unsigned busy : 1;
	unsigned dirty : 1;
} flags;

static void *
work(void *arg)
{
	flags.busy = 1; // RACE
	return arg;
}

static void *
spoil(void *arg)
{
	flags.dirty = 1; // RACE
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
