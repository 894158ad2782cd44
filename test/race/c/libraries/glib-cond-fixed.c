/* One thread of GLib makes something, the other waits for it with a condition. */
#include "glib.h"

static GMutex mutex;
static GCond cond;
static int *made;

static gpointer
maker(gpointer arg)
{
	int *x = g_new0(int, 1);

	*x = 1; // NORACE
	g_mutex_lock(&mutex);
	made = x; // NORACE
	g_cond_signal(&cond);
	g_mutex_unlock(&mutex);
	return arg;
}

int
main(void)
{
	GThread *t = g_thread_new("maker", maker, NULL);
	int n;

	g_mutex_lock(&mutex);
	while (!made) // NORACE
		g_cond_wait(&cond, &mutex);
	n = *made; // NORACE
	g_mutex_unlock(&mutex);
	g_thread_join(t);
	return n;
}
