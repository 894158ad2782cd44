/* What comes before the only push to a queue of GLib comes before what follows the pop; a queue that is locked is used with its lock held. */
#include "glib.h"

static GAsyncQueue *queue, *other;
static int config, pushed;

static gpointer
worker(gpointer arg)
{
	g_async_queue_pop(queue);
	config++; // NORACE
	g_async_queue_lock(other);
	pushed++; // NORACE
	g_async_queue_push_unlocked(other, &config);
	g_async_queue_unlock(other);
	return arg;
}

int
main(void)
{
	GThread *t;

	queue = g_async_queue_new();
	other = g_async_queue_new();
	t = g_thread_new("worker", worker, NULL);
	config = 1; // NORACE
	g_async_queue_push(queue, &config);
	g_async_queue_lock(other);
	pushed++; // NORACE
	g_async_queue_push_unlocked(other, &pushed);
	g_async_queue_unlock(other);
	g_thread_join(t);
	return 0;
}
