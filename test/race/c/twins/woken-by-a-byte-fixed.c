/* An event loop is woken by a byte in a pipe; the queue has a lock. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct ev {
	struct ev *next;
	int kind;
};
static struct ev *head;
static int wake[2], handled;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
loop(void *a)
{
	char c;
	while (read(wake[0], &c, 1) == 1) { // NORACE
		struct ev *e;
		pthread_mutex_lock(&m);
		e = head;    // NORACE
		head = NULL; // NORACE
		pthread_mutex_unlock(&m);
		while (e) {
			struct ev *n = e->next; // NORACE-LIKELY
			handled += e->kind;     // NORACE-LIKELY
			free(e);                // NORACE-LIKELY
			e = n;
		}
		if (c == 'q')
			break;
	}
	return a;
}

static void
post(int kind, char c)
{
	struct ev *e = malloc(sizeof *e);
	e->kind = kind; // NORACE-LIKELY
	pthread_mutex_lock(&m);
	e->next = head; // NORACE-LIKELY
	head = e;       // NORACE
	pthread_mutex_unlock(&m);
	write(wake[1], &c, 1);
}

int
main(void)
{
	pthread_t t;
	pipe(wake);
	pthread_create(&t, NULL, loop, NULL);
	post(1, 'w');
	post(2, 'q');
	pthread_join(t, NULL);
	return handled; // NORACE
}
