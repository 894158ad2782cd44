/* Double buffering: a barrier between writing a half and reading it. */
#include <pthread.h>

static pthread_barrier_t barrier;
static int half[2];

static void *
writer(void *arg)
{
	half[0] = 1; // NORACE-LIKELY
	pthread_barrier_wait(&barrier);
	return arg;
}

static void *
reader(void *arg)
{
	int v;

	pthread_barrier_wait(&barrier);
	v = half[0]; // NORACE-LIKELY
	return v ? arg : NULL;
}

int
main(void)
{
	pthread_t a, b;

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
