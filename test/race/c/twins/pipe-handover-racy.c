/* A buffer is changed after its address went through a pipe. */
#include <pthread.h>
#include <unistd.h>

static int fds[2];
static int buffer;

static void *
producer(void *arg)
{
	int *p = &buffer;

	if (write(fds[1], &p, sizeof p) < 0)
		return NULL;
	buffer = 1; // RACE
	return arg;
}

static void *
consumer(void *arg)
{
	int *p = NULL;

	if (read(fds[0], &p, sizeof p) < 0)
		return NULL;
	buffer++; // RACE
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
