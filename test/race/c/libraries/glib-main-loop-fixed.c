/* A thread hands what it found to the main loop, which shows it; so does a timer. */
#include "glib.h"

struct found {
	int number;
};

static GMainLoop *loop;
static int shown;

static gboolean
show(gpointer arg)
{
	struct found *f = arg;

	shown += f->number; // NORACE
	g_main_loop_quit(loop);
	return 0;
}

static gboolean
tick(gpointer arg)
{
	shown++; // NORACE
	return 1;
}

static gpointer
search(gpointer arg)
{
	struct found *f = g_new0(struct found, 1);

	f->number = 42; // NORACE
	g_idle_add(show, f);
	return NULL;
}

int
main(void)
{
	GThread *t;

	loop = g_main_loop_new(NULL, 0); // NORACE
	g_timeout_add(100, tick, NULL);
	t = g_thread_new("search", search, NULL);
	g_main_loop_run(loop);
	g_thread_join(t);
	return shown; // NORACE
}
