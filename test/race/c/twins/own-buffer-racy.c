/* Each thread allocates a buffer and keeps it in a local variable, but a helper thread may put there what all share. */
#include <pthread.h>
#include <stdlib.h>

struct copy {
	char *buf;
	size_t n;
};

static char *last;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void
put(struct copy *c, char x)
{
	c->buf[0] = x; // RACE
}

static void *
reuse(void *arg)
{
	struct copy *c = arg;

	pthread_mutex_lock(&m);
	if (last)
		c->buf = last;
	last = c->buf;
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *
work(void *arg)
{
	struct copy c = {0};
	pthread_t t;

	c.buf = malloc(64);
	if (!pthread_create(&t, NULL, reuse, &c))
		pthread_join(t, NULL);
	put(&c, 'x');
	return arg;
}

int
main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
