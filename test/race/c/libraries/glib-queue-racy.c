/* A queue and an array of GLib that two threads use without a lock. */
#include "glib.h"

static GQueue *queue;
static GPtrArray *all;

static gpointer
worker(gpointer arg)
{
	if (!g_queue_is_empty(queue)) // RACE
		g_queue_pop_head(queue); // RACE
	g_ptr_array_add(all, arg); // RACE
	return NULL;
}

int
main(void)
{
	GThread *a, *b;

	queue = g_queue_new(); // NORACE
	all = g_ptr_array_new();
	a = g_thread_new("a", worker, NULL);
	b = g_thread_new("b", worker, NULL);
	g_queue_push_tail(queue, g_new0(int, 1)); // RACE
	g_thread_join(a);
	g_thread_join(b);
	return (int)all->len; // NORACE
}
