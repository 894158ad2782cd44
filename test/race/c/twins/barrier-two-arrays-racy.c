/* Double buffering with a barrier: one thread reads the half that is being written. */
#include <pthread.h>

static pthread_barrier_t barrier;
static int half[2];

static void *
writer(void *arg)
{
	half[0] = 1; // RACE
	pthread_barrier_wait(&barrier);
	return arg;
}

static void *
reader(void *arg)
{
	int v = half[0]; // RACE

	pthread_barrier_wait(&barrier);
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
