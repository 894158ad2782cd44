/* Threads of GLib count under a static mutex, which one of them only tries to get; the last look is after both joins. */
#include "glib.h"

static GMutex mutex;
static int count;

static gpointer
worker(gpointer arg)
{
	g_mutex_lock(&mutex);
	count++; // NORACE
	g_mutex_unlock(&mutex);
	return arg;
}

static gpointer
patient(gpointer arg)
{
	if (g_mutex_trylock(&mutex)) {
		count++; // NORACE
		g_mutex_unlock(&mutex);
	}
	return arg;
}

int
main(void)
{
	GThread *a = g_thread_new("worker", worker, NULL);
	GThread *b = g_thread_try_new("patient", patient, NULL, NULL);

	g_thread_join(a);
	if (b)
		g_thread_join(b);
	return count; // NORACE
}
