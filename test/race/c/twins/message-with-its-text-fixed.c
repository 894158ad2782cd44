/* Messages with a flexible array member go through a locked list; the taker owns them. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct msg {
	struct msg *next;
	size_t len;
	char data[];
};
static struct msg *head;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void
put(const char *s)
{
	size_t n = strlen(s) + 1;
	struct msg *x = malloc(sizeof *x + n);
	x->len = n;            // NORACE
	memcpy(x->data, s, n); // NORACE
	pthread_mutex_lock(&m);
	x->next = head; // NORACE
	head = x;       // NORACE
	pthread_mutex_unlock(&m);
}

static struct msg *
get(void)
{
	struct msg *x;
	pthread_mutex_lock(&m);
	x = head; // NORACE
	if (x)
		head = x->next; // NORACE-LIKELY
	pthread_mutex_unlock(&m);
	return x;
}

static void *
w(void *a)
{
	struct msg *x;
	while ((x = get()) != NULL) {
		x->data[0] = 0; // NORACE-LIKELY
		free(x);        // NORACE-LIKELY
	}
	return a;
}

int
main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, w, NULL);
	pthread_create(&b, NULL, w, NULL);
	put("one");
	put("two");
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
