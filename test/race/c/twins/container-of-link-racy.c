/* Intrusive list, container_of: the object is changed without the list's lock. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#define container_of(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))
struct link {
	struct link *next;
};
struct conn {
	int fd;
	int state;
	struct link link;
};
static struct link *conns;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void
add(int fd)
{
	struct conn *c = calloc(1, sizeof *c);
	c->fd = fd; // NORACE
	pthread_mutex_lock(&m);
	c->link.next = conns; // NORACE
	conns = &c->link;     // NORACE
	pthread_mutex_unlock(&m);
}

static void *
reaper(void *a)
{
	pthread_mutex_lock(&m);
	for (struct link *l = conns; l; l = l->next) { // NORACE
		struct conn *c = container_of(l, struct conn, link);
		c->state = 2; // RACE
	}
	pthread_mutex_unlock(&m);
	return a;
}

static void *
worker(void *a)
{
	struct link *l;
	pthread_mutex_lock(&m);
	l = conns; // NORACE
	pthread_mutex_unlock(&m);
	if (l)
		container_of(l, struct conn, link)->state = 1; // RACE
	return a;
}

int
main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, reaper, NULL);
	pthread_create(&b, NULL, worker, NULL);
	add(3);
	add(4);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
