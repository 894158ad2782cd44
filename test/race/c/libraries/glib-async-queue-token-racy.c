/* Nothing is ordered by looking whether there is something in a queue of GLib, nor by pushing unlocked. */
#include "glib.h"

static GAsyncQueue *queue, *other;
static int config;

static gpointer
worker(gpointer arg)
{
	g_async_queue_try_pop(queue);
	config++; // RACE
	g_async_queue_push_unlocked(other, &config); // RACE
	return arg;
}

int
main(void)
{
	GThread *t;

	queue = g_async_queue_new();
	other = g_async_queue_new();
	t = g_thread_new("worker", worker, NULL);
	config = 1; // RACE
	g_async_queue_push(queue, &config);
	g_async_queue_push_unlocked(other, &config); // RACE
	g_thread_join(t);
	return 0;
}
