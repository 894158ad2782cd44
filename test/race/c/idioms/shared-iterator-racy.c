/* Two consumers take work by a plain index and are handed the same item. */
#include <pthread.h>

#define ITEMS 16

struct item {
	int cost, owner;
};

static struct item items[ITEMS];
static int next_item;

static int
take(int owner)
{
	int cost = 0;

	if (next_item < ITEMS) { // RACE
		struct item *it = &items[next_item++]; // RACE

		it->owner = owner; // RACE
		cost = it->cost; // NORACE
	}
	return cost;
}

static void *
consumer(void *arg)
{
	while (take(arg != NULL))
		continue;
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	for (int i = 0; i < ITEMS; i++)
		items[i].cost = i; // NORACE
	pthread_create(&a, NULL, consumer, NULL);
	pthread_create(&b, NULL, consumer, items);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
