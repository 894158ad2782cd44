/* Tables that GLib has made once, but one thread does not ask whether they were. */
#include "glib.h"

static GOnce once;
static size_t ready;
static int squares[8], cubes[8];

static gpointer
fill(gpointer arg)
{
	for (int i = 0; i < 8; i++)
		squares[i] = i * i; // RACE
	return squares;
}

static gpointer
asking(gpointer arg)
{
	g_once_impl(&once, fill, NULL);
	if (g_once_init_enter(&ready)) {
		cubes[1] = 1; // RACE
		g_once_init_leave(&ready, 1);
	}
	return squares[1] + cubes[1] ? arg : NULL; // NORACE
}

int
main(void)
{
	GThread *a = g_thread_new("a", asking, NULL), *b = g_thread_new("b", asking, NULL);
	int n = squares[2] + cubes[1]; // RACE

	g_thread_join(a);
	g_thread_join(b);
	return n;
}
