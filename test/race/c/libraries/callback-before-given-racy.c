/* What a library calls back starts a thread, and the program goes on setting up when it has told it. */
#include <pthread.h>
#include <stdio.h>

struct bus;
struct bus *bus_open(const char *name);
int bus_listen(struct bus *b, const char *path, void (*f)(void *), void *arg);
int bus_version(void);
int bus_wait(struct bus *b);

static int limit, seen;

static void *collect(void *arg)
{
	for (int i = 0; i < limit; i++) // RACE
		seen++;
	return arg;
}

static void started(void *arg)
{
	static int once;
	pthread_t t;

	if (!once++)
		pthread_create(&t, NULL, collect, arg);
}

int main(void)
{
	struct bus *b;

	if (bus_version() < 2)
		return 1;
	b = bus_open("system");
	if (!b || bus_listen(b, "/", started, NULL))
		return 1;
	bus_wait(b);
	limit = 10; // RACE
	while (bus_wait(b))
		;
	return 0;
}
