/* Two threads work on elements of an array of structs; one counts in the other's. */
#include <pthread.h>

struct core {
	int load;
	int temperature;
};

static struct core cores[4];

static void
heat(struct core *c)
{
	c->load++; // RACE
	c->temperature += 2; // NORACE
}

static void *
first(void *arg)
{
	heat(&cores[0]);
	return arg;
}

static void *
second(void *arg)
{
	heat(&cores[1]);
	cores[0].load--; // RACE
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
