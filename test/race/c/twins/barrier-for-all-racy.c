/* Three threads meet at a barrier for two. */
#include <pthread.h>

static pthread_barrier_t barrier;
static int total;
static void *
maker(void *arg)
{
	total = 1; // RACE
	pthread_barrier_wait(&barrier);
	return arg;
}
static void *
user(void *arg)
{
	pthread_barrier_wait(&barrier);
	return total ? arg : NULL; // RACE
}
int
main(void)
{
	pthread_t a, b, c;
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&a, NULL, maker, NULL);
	pthread_create(&b, NULL, user, NULL);
	pthread_create(&c, NULL, user, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
