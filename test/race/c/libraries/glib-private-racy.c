/* Each thread of GLib sets its own data to what the two of them share. */
#include "glib.h"

static GPrivate key;
static int shared;

static gpointer
worker(gpointer arg)
{
	int *own;

	if (!g_private_get(&key))
		g_private_set(&key, &shared);
	own = g_private_get(&key);
	(*own)++; // RACE
	return NULL;
}

int
main(void)
{
	GThread *a = g_thread_new("a", worker, NULL), *b = g_thread_new("b", worker, NULL);

	g_thread_join(a);
	g_thread_join(b);
	return 0;
}
