/* Each thread allocates a buffer and keeps it in a local variable, which a helper thread knows, too. */
#include <pthread.h>
#include <stdlib.h>

struct copy {
	char *buf;
	size_t n;
};

static void
put(struct copy *c, char x)
{
	c->buf[c->n++] = x; // NORACE
}

static void *
idle(void *arg)
{
	return arg;
}

static void *
work(void *arg)
{
	struct copy c = {0};
	pthread_t t;

	c.buf = malloc(64);
	for (int i = 0; i < 60; i++)
		put(&c, 'x');
	if (!pthread_create(&t, NULL, idle, &c))
		pthread_join(t, NULL);
	c.buf[0] = 'y'; // NORACE
	free(c.buf);
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
