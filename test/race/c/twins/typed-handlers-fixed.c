/* Handlers with and without a result in one table: the thread calls those without one. */
#include <pthread.h>
#include <stdlib.h>

struct handler {
	const char *name;
	void (*f)(void);
};

static int g;

static int
counted(void *arg)
{
	g++; // NORACE
	return arg != NULL;
}

static void
silent(int *n, long by)
{
	*n += (int)by;
}

static struct handler table[] = {
	{"counted", (void (*)(void))counted},
	{"silent", (void (*)(void))silent},
};

static void *
work(void *arg)
{
	int n = 0, i = rand() & 1;

	((void (*)(int *, long))table[i].f)(&n, 1);
	return n ? arg : NULL;
}

int
main(void)
{
	pthread_t a, b;
	int n = 0;

	((int (*)(void *))table[0].f)(NULL);
	((void (*)(int *, long))table[1].f)(&n, 1);
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return n;
}
