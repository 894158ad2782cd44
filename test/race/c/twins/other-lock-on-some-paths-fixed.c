/* A lock that is held on some paths guards something else; the counter has its own. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER, log_lock = PTHREAD_MUTEX_INITIALIZER;
static int count, logged;
static volatile int verbose;

static void
add(int n)
{
	pthread_mutex_lock(&count_lock);
	count += n; // NORACE
	pthread_mutex_unlock(&count_lock);
}

static void *
worker(void *arg)
{
	int talk = verbose;

	if (talk)
		pthread_mutex_lock(&log_lock);
	add(1);
	if (talk) {
		logged++;
		pthread_mutex_unlock(&log_lock);
	}
	return arg;
}

static void *
reader(void *arg)
{
	pthread_mutex_lock(&count_lock);
	printf("%d\n", count); // NORACE
	pthread_mutex_unlock(&count_lock);
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t a, b;

	verbose = argc > 1 && argv[1];
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return logged;
}
