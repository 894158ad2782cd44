/* Threads are started through a wrapper with a trampoline; each has a total of its own. */
#include <pthread.h>
#include <stdlib.h>

struct call {
	void (*fn)(void *);
	void *arg;
};

static void *
trampoline(void *p)
{
	struct call *c = p;

	c->fn(c->arg); // NORACE
	free(c); // NORACE
	return NULL;
}

static pthread_t
spawn(void (*fn)(void *), void *arg)
{
	struct call *c = malloc(sizeof *c);
	pthread_t t;

	if (!c)
		abort();
	c->fn = fn; // NORACE
	c->arg = arg; // NORACE
	if (pthread_create(&t, NULL, trampoline, c) != 0)
		abort();
	return t;
}

static void
add(void *p)
{
	*(long *)p += 1; // NORACE
}

int
main(void)
{
	long x = 0, y = 0;
	pthread_t a, b;

	a = spawn(add, &x);
	b = spawn(add, &y);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return (int)(x + y); // NORACE
}
