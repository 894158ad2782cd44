/* In one mode the program works by itself, in the other it has a thread that does so.
 * But the mode is changed when that runs. */
#include <pthread.h>
#include <stdlib.h>

enum { DIRECT = 2 };

static int mode, queued, done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void work(int n)
{
	done += n; // RACE
}

static void *worker(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		int n = queued;
		queued = 0;
		pthread_mutex_unlock(&lock);
		work(n);
	}
	return arg;
}

static void start(int m)
{
	pthread_t t;

	mode = m;
	if ((mode & DIRECT) == 0)
		pthread_create(&t, NULL, worker, NULL);
}

static void say(int n)
{
	if (mode & DIRECT) {
		work(n);
		return;
	}
	pthread_mutex_lock(&lock);
	queued += n;
	pthread_mutex_unlock(&lock);
}

int main(int argc, char **argv)
{
	start(atoi(argv[1]));
	for (int i = 0; i < argc; i++) {
		if (i == 7)
			mode |= DIRECT;
		say(i);
	}
	return 0;
}
