/* What is in a list is lent to one at a time: a mark in it is looked at and set under a lock. */
#include <pthread.h>
#include <stdlib.h>

struct tool {
	struct tool *next;
	int lent;
	long uses;
};

static pthread_mutex_t shed = PTHREAD_MUTEX_INITIALIZER;
static struct tool *tools;

static struct tool *
borrow(void)
{
	struct tool *t;

	pthread_mutex_lock(&shed);
	for (t = tools; t != NULL; t = t->next)
		if (!t->lent) {
			t->lent = 1;
			break;
		}
	pthread_mutex_unlock(&shed);
	return t;
}

static void *
gardener(void *arg)
{
	for (int k = 0; k < 30; k++) {
		struct tool *t = borrow();
		if (t == NULL)
			continue;
		t->uses++; // NORACE-LIKELY
		pthread_mutex_lock(&shed);
		t->lent = 0;
		pthread_mutex_unlock(&shed);
	}
	return arg;
}

int
main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 5; i++) {
		struct tool *x = calloc(1, sizeof *x);
		if (!x)
			abort();
		x->next = tools;
		tools = x;
	}
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, gardener, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return tools->uses < 0; // NORACE
}
