/* Each thread is started for an element that its creator has claimed under a lock, and gives it back in the end. */
#include <pthread.h>
#include <stddef.h>

#define TABLES 4

struct table {
	int used, waiter;
	long orders;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct table tables[TABLES];

static void *
wait_on(void *arg)
{
	struct table *t = arg;

	t->orders++; // NORACE-LIKELY
	pthread_mutex_lock(&m);
	t->used = 0;
	pthread_mutex_unlock(&m);
	return NULL;
}

static struct table *
reserve(void)
{
	struct table *t = NULL;

	pthread_mutex_lock(&m);
	for (int i = 0; i < TABLES; i++)
		if (!tables[i].used) {
			t = &tables[i];
			t->used = 1;
			break;
		}
	pthread_mutex_unlock(&m);
	return t;
}

int
main(void)
{
	for (int i = 0; i < 100; i++) {
		struct table *t = reserve();
		pthread_t id;
		if (!t)
			continue;
		t->waiter = i; // NORACE-LIKELY
		if (pthread_create(&id, NULL, wait_on, t))
			break;
		pthread_detach(id);
	}
	return 0;
}
