/* stop() joins only one of the two threads that start() made. */
#include <pthread.h>

static pthread_t reader_thread, writer_thread;
static int state;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *
run(void *arg)
{
	pthread_mutex_lock(&lock);
	state++; // RACE
	pthread_mutex_unlock(&lock);
	return arg;
}

static void
start(void)
{
	pthread_create(&reader_thread, NULL, run, NULL);
	pthread_create(&writer_thread, NULL, run, NULL);
}

static void
stop(void)
{
	pthread_join(reader_thread, NULL);
}

int
main(void)
{
	start();
	stop();
	state = 0; // RACE
	return 0;
}
