/* Tasks of a GLib pool add up without a lock, and main does not wait for their end. */
#include "glib.h"

struct sum {
	GMutex mutex;
	int total, seen;
};

static void
work(gpointer data, gpointer user_data)
{
	struct sum *s = user_data;

	s->total++; // RACE
	g_mutex_lock(&s->mutex);
	s->seen++; // RACE
	g_mutex_unlock(&s->mutex);
}

int
main(void)
{
	struct sum *s = g_new0(struct sum, 1);
	GThreadPool *pool = g_thread_pool_new(work, s, 4, 0, NULL);

	for (int i = 0; i < 8; i++)
		g_thread_pool_push(pool, s, NULL);
	g_thread_pool_free(pool, 0, 0);
	return s->seen; // RACE
}
