/* A thread that gives up calls exit: the handler runs in it, and takes main's lock. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int progress;

static void
report(void)
{
	pthread_mutex_lock(&lock);
	printf("%d%%\n", progress); // NORACE
	pthread_mutex_unlock(&lock);
}

static void *
watchdog(void *arg)
{
	sleep(1);
	exit(arg != NULL);
}

int
main(void)
{
	pthread_t t;

	atexit(report);
	if (pthread_create(&t, NULL, watchdog, NULL) != 0)
		_exit(1);
	for (int i = 0; i <= 100; i++) {
		pthread_mutex_lock(&lock);
		progress = i; // NORACE
		pthread_mutex_unlock(&lock);
	}
	pthread_join(t, NULL);
	return 0;
}
