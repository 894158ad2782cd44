/* Tasks of a GLib pool, each with an argument of its own, add up under a mutex; so does main look. */
#include "glib.h"

struct task {
	int n;
};
struct sum {
	GMutex mutex;
	int total;
};

static void
work(gpointer data, gpointer user_data)
{
	struct task *t = data;
	struct sum *s = user_data;

	g_mutex_lock(&s->mutex);
	s->total += t->n; // NORACE
	g_mutex_unlock(&s->mutex);
	g_free(t); // NORACE
}

int
main(void)
{
	struct sum *s = g_new0(struct sum, 1);
	GThreadPool *pool = g_thread_pool_new(work, s, 4, 0, NULL);

	for (int i = 0; i < 8; i++) {
		struct task *t = g_new0(struct task, 1);
		t->n = i; // NORACE
		g_thread_pool_push(pool, t, NULL);
	}
	g_mutex_lock(&s->mutex);
	g_print("%d", s->total); // NORACE
	g_mutex_unlock(&s->mutex);
	g_thread_pool_free(pool, 0, 1);
	return 0;
}
