/* Two consumers take work by an index under the lock, and copy the item there. */
#include <pthread.h>

#define ITEMS 16

struct item {
	int cost, owner;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct item items[ITEMS];
static int next_item;

static int
take(int owner)
{
	int cost = 0;

	pthread_mutex_lock(&lock);
	if (next_item < ITEMS) { // NORACE
		struct item *it = &items[next_item++]; // NORACE

		it->owner = owner; // NORACE
		cost = it->cost; // NORACE
	}
	pthread_mutex_unlock(&lock);
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
