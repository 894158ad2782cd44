/* Queues in an array, each with its lock in another.  Who takes an item from the end of a queue, under that queue's
 * lock, calls what links it by the item's own number, which is that of the queue: not shown, but
 * meant.  Who counts behind the lock, or under that of another number, races. */
#include <pthread.h>
#include <stdlib.h>

enum { CLASSES = 8 };
struct item {
	struct item *next, *prev;
	int kind;
};

static pthread_mutex_t locks[CLASSES];
static struct item *heads[CLASSES], *tails[CLASSES], *marks[CLASSES];
static long sizes[CLASSES], moves[CLASSES], looks[CLASSES];

static void
link_item(struct item *it)
{
	it->next = heads[it->kind]; // NORACE-LIKELY
	heads[it->kind] = it;       // NORACE-LIKELY
	if (!tails[it->kind])       // NORACE-LIKELY
		tails[it->kind] = it; // NORACE-LIKELY
	sizes[it->kind]++; // NORACE-LIKELY
}

static void
count_move(struct item *it)
{
	moves[it->kind]++; // RACE
}

static void
count_look(struct item *it)
{
	looks[it->kind]++; // RACE
}

static void
add_item(struct item *it)
{
	pthread_mutex_lock(&locks[it->kind]);
	link_item(it);
	pthread_mutex_unlock(&locks[it->kind]);
}

static void
pull(int id)
{
	struct item *it, *found = 0;

	pthread_mutex_lock(&locks[id]);
	for (it = tails[id]; it; it = it->prev) // NORACE-LIKELY
		if (it->next == found) {
			link_item(it);
			count_look(it);
			found = it;
		}
	pthread_mutex_unlock(&locks[id]);
	if (found)
		count_move(found);
	pthread_mutex_lock(&locks[id ^ 1]);
	it = marks[id];
	if (it)
		count_look(it);
	pthread_mutex_unlock(&locks[id ^ 1]);
}

static void *
worker(void *arg)
{
	for (long i = 0; i < 100000; i++) {
		struct item *it = calloc(1, sizeof *it);
		it->kind = rand() % CLASSES;
		add_item(it);
		pull((int)(i % CLASSES));
	}
	return arg;
}

int
main(void)
{
	pthread_t t[2];

	for (int i = 0; i < CLASSES; i++) {
		pthread_mutex_init(&locks[i], 0);
		marks[i] = calloc(1, sizeof **marks);
	}
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, worker, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	return 0;
}
