/* A bit of a number of GLib's is the lock; counts of references are atomic. */
#include "glib.h"

static int bits, count, users;

static gpointer
worker(gpointer arg)
{
	g_bit_lock(&bits, 1);
	count++; // NORACE
	g_bit_unlock(&bits, 1);
	g_atomic_int_inc(&users); // NORACE
	return arg;
}

int
main(void)
{
	GThread *a = g_thread_new("a", worker, NULL), *b = g_thread_new("b", worker, NULL);
	int n = g_atomic_int_get(&users); // NORACE

	g_thread_join(a);
	g_thread_join(b);
	return n;
}
