/* A player starts its thread anew for each file, when the last one was waited for, if a
 * flag says that there is one. */
#include <pthread.h>
#include <stdio.h>

static pthread_t thread;
static int running;
static int position; // of the file that is played
static int stop_it;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
play(void *arg)
{
	position = 0; // NORACE-LIKELY
	for (;;) {
		pthread_mutex_lock(&m);
		if (stop_it) {
			pthread_mutex_unlock(&m);
			return 0;
		}
		pthread_mutex_unlock(&m);
		position++; // NORACE-LIKELY
	}
}

static void
stop(void)
{
	if (running) {
		pthread_mutex_lock(&m);
		stop_it = 1;
		pthread_mutex_unlock(&m);
		if (pthread_join(thread, 0))
			perror("join");
		thread = 0;
		running = 0;
		stop_it = 0;
	}
}

static void
start(void)
{
	stop();
	if (pthread_create(&thread, 0, play, 0))
		perror("create");
	running = 1;
}

static void
skip(void)
{
	stop();
}

int
main(int argc, char **argv)
{
	int c;

	while ((c = getchar()) != EOF)
		if (c == 'p')
			start();
		else
			skip();
	stop();
	return 0;
}
