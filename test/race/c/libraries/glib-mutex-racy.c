/* Threads of GLib count under a static mutex, which one of them only tries to get, and counts if it did not; main does not wait for it. */
#include "glib.h"

static GMutex mutex;
static int count;

static gpointer
worker(gpointer arg)
{
	g_mutex_lock(&mutex);
	count++; // RACE
	g_mutex_unlock(&mutex);
	return arg;
}

static gpointer
patient(gpointer arg)
{
	if (!g_mutex_trylock(&mutex)) {
		count++; // RACE
		return arg;
	}
	g_mutex_unlock(&mutex);
	return arg;
}

int
main(void)
{
	GThread *a = g_thread_new("worker", worker, NULL);

	g_thread_unref(g_thread_new("patient", patient, NULL));
	g_thread_join(a);
	return count; // RACE
}
