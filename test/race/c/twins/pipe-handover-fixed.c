/* A buffer is filled, and its address goes through a pipe. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int fds[2];
static int buffer;

static void *
producer(void *arg)
{
	int *p = &buffer;

	pthread_mutex_lock(&m);
	buffer = 1; // NORACE
	pthread_mutex_unlock(&m);
	if (write(fds[1], &p, sizeof p) < 0)
		return NULL;
	return arg;
}

static void *
consumer(void *arg)
{
	int *p = NULL;

	if (read(fds[0], &p, sizeof p) < 0)
		return NULL;
	pthread_mutex_lock(&m);
	buffer++; // NORACE
	pthread_mutex_unlock(&m);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	if (pipe(fds))
		return 1;
	pthread_create(&a, NULL, producer, NULL);
	pthread_create(&b, NULL, consumer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
