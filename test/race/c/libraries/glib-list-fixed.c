/* A list of GLib that two threads add to and walk under a mutex. */
#include "glib.h"

struct item {
	int n;
};

static GMutex mutex;
static GList *list;

static int
walk(void)
{
	int sum = 0;

	g_mutex_lock(&mutex);
	for (GList *l = list; l; l = l->next) // NORACE
		sum += ((struct item *)l->data)->n; // NORACE
	g_mutex_unlock(&mutex);
	return sum;
}

static gpointer
adder(gpointer arg)
{
	struct item *x = g_new0(struct item, 1);

	x->n = 1; // NORACE
	g_mutex_lock(&mutex);
	list = g_list_append(list, x); // NORACE
	g_mutex_unlock(&mutex);
	return NULL;
}

int
main(void)
{
	GThread *a = g_thread_new("a", adder, NULL), *b = g_thread_new("b", adder, NULL);
	int sum = walk();

	g_thread_join(a);
	g_thread_join(b);
	g_list_free(list); // NORACE
	return sum;
}
