/* Objects are on a list by an embedded link; what surrounds it is used after the unlock. */
#include <pthread.h>
#include <stddef.h>

#define container_of(p, type, member) ((type *)((char *)(p)-offsetof(type, member)))

struct link {
	struct link *next;
};

struct device {
	int id, opens;
	struct link link;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct device disk = {1, 0, {NULL}}, tape = {2, 0, {&disk.link}};
static struct link *devices = &tape.link;

static struct device *
find(int id)
{
	for (struct link *l = devices; l; l = l->next) {
		struct device *d = container_of(l, struct device, link);

		if (d->id == id) // NORACE
			return d;
	}
	return NULL;
}

static void *
open_device(void *arg)
{
	struct device *d;

	pthread_mutex_lock(&lock);
	d = find(1);
	pthread_mutex_unlock(&lock);
	if (d)
		d->opens++; // RACE
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, open_device, NULL);
	pthread_create(&b, NULL, open_device, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
