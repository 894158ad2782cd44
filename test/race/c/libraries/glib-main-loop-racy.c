/* A thread hands what it found to the main loop, and goes on to change it, and what a timer shows. */
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

	g_print("%d", f->number); // RACE
	g_main_loop_quit(loop);
	return 0;
}

static gboolean
tick(gpointer arg)
{
	shown++; // RACE
	return 1;
}

static gpointer
search(gpointer arg)
{
	struct found *f = g_new0(struct found, 1);

	g_idle_add(show, f);
	f->number = 42; // RACE
	shown = 0;	// RACE
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
