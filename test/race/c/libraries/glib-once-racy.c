/* A table that GLib has made once, but one thread does not ask whether it was, and one fills another before its enter. */
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
user(gpointer arg)
{
	if (g_once_init_enter(&ready)) {
		cubes[1] = 1; // NORACE
		g_once_init_leave(&ready, 1);
	}
	return cubes[1] + cubes[2] ? arg : NULL; // RACE
}

static gpointer
owner(gpointer arg)
{
	g_once_impl(&once, fill, NULL);
	cubes[2] = 8; // RACE
	return user(arg);
}

int
main(void)
{
	GThread *a = g_thread_new("a", owner, NULL), *b = g_thread_new("b", user, NULL);
	int n = squares[2]; // RACE

	g_thread_join(a);
	g_thread_join(b);
	return n;
}
