/* A recursive mutex of GLib is given back as often as it was taken, and then the total is used once more. */
#include "glib.h"

static GRecMutex mutex;
static int total;

static void
add(int n)
{
	g_rec_mutex_lock(&mutex);
	total += n; // RACE
	g_rec_mutex_unlock(&mutex);
}

static gpointer
worker(gpointer arg)
{
	g_rec_mutex_lock(&mutex);
	add(1);
	g_rec_mutex_unlock(&mutex);
	total *= 2; // RACE
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
