/* Two bits of a number of GLib's are two locks; a count is atomic in one place only. */
#include "glib.h"

static int bits, count, users;

static gpointer
worker(gpointer arg)
{
	g_bit_lock(&bits, 1);
	count++; // RACE
	g_bit_unlock(&bits, 1);
	g_atomic_int_inc(&users); // RACE
	return arg;
}

static gpointer
other(gpointer arg)
{
	g_bit_lock(&bits, 2);
	count++; // RACE
	g_bit_unlock(&bits, 2);
	return arg;
}

int
main(void)
{
	GThread *a = g_thread_new("a", worker, NULL), *b = g_thread_new("b", other, NULL);
	int n = users; // RACE

	g_thread_join(a);
	g_thread_join(b);
	return n;
}
