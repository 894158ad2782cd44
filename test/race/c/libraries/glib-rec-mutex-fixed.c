/* A recursive mutex of GLib is still held when the inner lock is given back. */
#include "glib.h"

static GRecMutex mutex;
static int total;

static void
add(int n)
{
	g_rec_mutex_lock(&mutex);
	total += n; // NORACE
	g_rec_mutex_unlock(&mutex);
}

static gpointer
worker(gpointer arg)
{
	g_rec_mutex_lock(&mutex);
	add(1);
	total *= 2; // NORACE
	g_rec_mutex_unlock(&mutex);
	return arg;
}

int
main(void)
{
	GThread *t = g_thread_new("worker", worker, NULL);

	add(2);
	g_thread_join(t);
	return 0;
}
