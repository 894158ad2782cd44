/* A lock in an array for each element of another, both chosen by a member that is read twice, the
 * lock in a caller: the two numbers hardly differ.  Who forgets the lock, or takes that of another
 * element, races. */
#include <pthread.h>
#include <stdlib.h>

enum { CLASSES = 8 };
struct item {
	struct item *next;
	int kind;
};

static pthread_mutex_t locks[CLASSES], item_lock = PTHREAD_MUTEX_INITIALIZER;
static int sizes[CLASSES], bytes[CLASSES], wrong[CLASSES];
static struct item *shared;

static void link_item(struct item *it)
{
	sizes[it->kind]++; // NORACE-LIKELY
}

static void count_bytes(struct item *it)
{
	bytes[it->kind] += 8; // RACE
}

static void use_locked(struct item *it)
{
	pthread_mutex_lock(&locks[it->kind]);
	link_item(it);
	pthread_mutex_unlock(&locks[it->kind]);
	count_bytes(it);
	pthread_mutex_lock(&locks[it->kind ^ 1]);
	wrong[it->kind]++; // RACE
	pthread_mutex_unlock(&locks[it->kind ^ 1]);
}

static void *worker(void *arg)
{
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&item_lock);
		use_locked(shared);
		pthread_mutex_unlock(&item_lock);
	}
	return arg;
}

static void *reader(void *arg)
{
	int sum = 0;

	for (int i = 0; i < CLASSES; i++) {
		pthread_mutex_lock(&locks[i]);
		sum += sizes[i]; // NORACE-LIKELY
		sum += bytes[i]; // RACE
		sum += wrong[i]; // RACE
		pthread_mutex_unlock(&locks[i]);
	}
	return sum ? arg : NULL;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < CLASSES; i++)
		pthread_mutex_init(&locks[i], NULL);
	shared = calloc(1, sizeof *shared);
	pthread_create(&t[0], NULL, worker, NULL);
	pthread_create(&t[1], NULL, worker, NULL);
	pthread_create(&t[2], NULL, reader, NULL);
	pthread_mutex_lock(&item_lock);
	shared->kind = rand() % CLASSES; // NORACE
	pthread_mutex_unlock(&item_lock);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	free(shared);
	return 0;
}
