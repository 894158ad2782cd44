/* A list of GLib that a thread adds to under a mutex, while main walks it without. */
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

	for (GList *l = list; l; l = l->next) // RACE
		sum += ((struct item *)l->data)->n;
	return sum;
}

static gpointer
adder(gpointer arg)
{
	struct item *x = g_new0(struct item, 1);

	g_mutex_lock(&mutex);
	list = g_list_append(list, x); // RACE
	g_mutex_unlock(&mutex);
	return NULL;
}

static gpointer
appender(gpointer arg)
{
	g_list_append(arg, arg); // RACE
	return NULL;
}

int
main(void)
{
	GList *other = g_list_prepend(NULL, &mutex);
	GThread *a = g_thread_new("a", adder, NULL), *b = g_thread_new("b", appender, other);
	int sum = walk() + (int)g_list_length(other); // RACE

	g_thread_join(a);
	g_thread_join(b);
	return sum;
}
