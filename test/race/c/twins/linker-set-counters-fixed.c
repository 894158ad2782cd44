/* Counters of a linker set: one thread bumps its own by name, the other sums the set when it is done. */
#include <pthread.h>

struct counter {
	const char *name;
	long n;
};
static struct counter hits __attribute__((section("counters"), used)) = {"hits", 0};
static struct counter misses __attribute__((section("counters"), used)) = {"misses", 0};
extern struct counter __start_counters, __stop_counters;

static void *
w(void *a)
{
	hits.n++;   // NORACE
	misses.n++; // NORACE
	return a;
}

int
main(void)
{
	pthread_t t;
	long sum = 0;
	pthread_create(&t, NULL, w, NULL);
	pthread_join(t, NULL);
	for (struct counter *c = &__start_counters; c < &__stop_counters; c++)
		sum += c->n; // NORACE
	return sum;
}
