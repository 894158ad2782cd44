/* Consumers take items out of a queue of GLib under its mutex, and use each as their own. */
#include "glib.h"

struct item {
	int n;
};

static GMutex mutex;
static GCond cond;
static GQueue queue;
static gboolean done;

static gpointer
producer(gpointer arg)
{
	for (int i = 0; i < 8; i++) {
		struct item *x = g_new0(struct item, 1);
		x->n = i; // NORACE-LIKELY
		g_mutex_lock(&mutex);
		g_queue_push_tail(&queue, x); // NORACE
		g_cond_signal(&cond);
		g_mutex_unlock(&mutex);
	}
	g_mutex_lock(&mutex);
	done = 1; // NORACE
	g_cond_signal(&cond);
	g_mutex_unlock(&mutex);
	return arg;
}

static gpointer
consumer(gpointer arg)
{
	struct item *x;

	for (;;) {
		g_mutex_lock(&mutex);
		while (g_queue_is_empty(&queue) && !done) // NORACE
			g_cond_wait(&cond, &mutex);
		x = g_queue_pop_head(&queue); // NORACE
		g_mutex_unlock(&mutex);
		if (!x)
			return arg;
		x->n++; // NORACE-LIKELY
		g_free(x); // NORACE-LIKELY
	}
}

int
main(void)
{
	GThread *p = g_thread_new("p", producer, NULL);
	GThread *a = g_thread_new("a", consumer, NULL), *b = g_thread_new("b", consumer, NULL);

	g_thread_join(p);
	g_thread_join(a);
	g_thread_join(b);
	return 0;
}
