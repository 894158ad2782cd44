/* Each thread of GLib has a buffer of its own. */
#include "glib.h"

static GPrivate key;

static gpointer
worker(gpointer arg)
{
	int *own;

	if (!g_private_get(&key))
		g_private_set(&key, g_new0(int, 1));
	own = g_private_get(&key);
	(*own)++; // NORACE
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
