/* A table that GLib has made once, by g_once and by g_once_init_enter, each behind the look at it that the macros take. */
#include "glib.h"

static GOnce once;
static size_t ready;
static int squares[8], cubes[8];

static gpointer
fill(gpointer arg)
{
	for (int i = 0; i < 8; i++)
		squares[i] = i * i; // NORACE-LIKELY
	return squares;
}

static const int *
table(void)
{
	return __atomic_load_n(&once.status, __ATOMIC_ACQUIRE) == 2 ? once.retval : // NORACE-LIKELY
		   g_once_impl(&once, fill, NULL);
}

static gpointer
user(gpointer arg)
{
	if (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE) && g_once_init_enter(&ready)) { // NORACE
		for (int i = 0; i < 8; i++)
			cubes[i] = i * i * i; // NORACE-LIKELY
		g_once_init_leave(&ready, 1);
	}
	return table()[2] + cubes[2] > 0 ? arg : NULL; // NORACE-LIKELY
}

int
main(void)
{
	GThread *a = g_thread_new("a", user, NULL), *b = g_thread_new("b", user, NULL);

	g_thread_join(a);
	g_thread_join(b);
	return 0;
}
