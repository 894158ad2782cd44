/* Whatever else runs is joined as well before its results are used. */
#include <pthread.h>
#include <unistd.h>

static int beats, total, below;

static void *
beat(void *arg)
{
	for (;;) {
		beats++; // NORACE
		usleep(1000);
	}
	return arg;
}

static void *
add(void *arg)
{
	total++; // NORACE
	return arg;
}

static void *
leaf(void *arg)
{
	below++; // NORACE
	return arg;
}

/* Nobody cancels this one. */
static void *
branch(void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, leaf, NULL);
	pthread_join(t, NULL);
	return arg;
}

int
main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, beat, NULL);
	pthread_create(&b, NULL, add, NULL);
	pthread_create(&c, NULL, branch, NULL);
	pthread_cancel(a);
	pthread_join(a, NULL);
	beats = 0; // NORACE
	pthread_join(b, NULL);
	total = 0; // NORACE
	pthread_join(c, NULL);
	below = 0; // NORACE
	return 0;
}
