/* A read-write lock of GLib: readers read, the writer writes. */
#include "glib.h"

static GRWLock lock;
static int setting, seen[2];

static gpointer
reader(gpointer arg)
{
	g_rw_lock_reader_lock(&lock);
	*(int *)arg = setting; // NORACE
	g_rw_lock_reader_unlock(&lock);
	return NULL;
}

int
main(void)
{
	GThread *a = g_thread_new("a", reader, &seen[0]);
	GThread *b = g_thread_new("b", reader, &seen[1]);

	g_rw_lock_writer_lock(&lock);
	setting = 1; // NORACE
	g_rw_lock_writer_unlock(&lock);
	g_thread_join(a);
	g_thread_join(b);
	return seen[0] + seen[1]; // NORACE
}
