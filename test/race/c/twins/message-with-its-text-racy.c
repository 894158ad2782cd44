/* The message's length is filled in when it is in the list already. */
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
	memcpy(x->data, s, n);
	pthread_mutex_lock(&m);
	x->next = head; // NORACE
	head = x;       // NORACE
	pthread_mutex_unlock(&m);
	x->len = n; // RACE
}

static void *
w(void *a)
{
	struct msg *x;
	size_t n = 0;
	pthread_mutex_lock(&m);
	for (x = head; x; x = x->next) // NORACE
		n += x->len;           // RACE
	pthread_mutex_unlock(&m);
	return (void *)n;
}

int
main(void)
{
	pthread_t a;
	pthread_create(&a, NULL, w, NULL);
	put("one");
	put("two");
	pthread_join(a, NULL);
	return 0;
}
