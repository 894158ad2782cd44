/* One of two ways through a function unlocks twice as often as it locked. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int reads, writes;

static void
note(int is_write)
{
	pthread_mutex_lock(&lock);
	if (is_write) {
		writes++; // NORACE
		pthread_mutex_unlock(&lock);
	}
	reads++; // RACE possible
	if (!is_write)
		pthread_mutex_unlock(&lock);
}

static void *
worker(void *arg)
{
	note(arg != NULL);
	note(arg == NULL);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, &reads);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
