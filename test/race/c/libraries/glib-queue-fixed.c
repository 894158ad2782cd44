/* A queue and an array of GLib under a mutex; what is taken out belongs to who took it. */
#include "glib.h"

static GMutex mutex;
static GQueue *queue;
static GPtrArray *all;

static gpointer
worker(gpointer arg)
{
	int *x;

	g_mutex_lock(&mutex);
	x = g_queue_pop_head(queue); // NORACE
	g_ptr_array_add(all, x);     // NORACE
	g_mutex_unlock(&mutex);
	return x;
}

int
main(void)
{
	GThread *a, *b;

	queue = g_queue_new(); // NORACE
	all = g_ptr_array_new();
	g_queue_push_tail(queue, g_new0(int, 1)); // NORACE
	a = g_thread_new("a", worker, NULL);
	b = g_thread_new("b", worker, NULL);
	g_mutex_lock(&mutex);
	g_queue_push_tail(queue, g_new0(int, 1)); // NORACE
	g_mutex_unlock(&mutex);
	g_thread_join(a);
	g_thread_join(b);
	return (int)all->len; // NORACE
}
