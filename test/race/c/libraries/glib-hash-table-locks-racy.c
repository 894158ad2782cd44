/* Two threads take the locks of two entries of a GLib table, which do not exclude each other. */
#include "glib.h"

struct user {
	GMutex mutex;
};

static GHashTable *users;
static int visits;

static gpointer
visitor(gpointer arg)
{
	struct user *u = g_hash_table_lookup(users, arg); // NORACE

	g_mutex_lock(&u->mutex);
	visits++; // RACE
	g_mutex_unlock(&u->mutex);
	return NULL;
}

int
main(void)
{
	GThread *a, *b;

	users = g_hash_table_new(g_str_hash, g_str_equal); // NORACE
	g_hash_table_insert(users, "ann", g_new0(struct user, 1));
	g_hash_table_insert(users, "bob", g_new0(struct user, 1));
	a = g_thread_new("a", visitor, "ann");
	b = g_thread_new("b", visitor, "bob");
	g_thread_join(a);
	g_thread_join(b);
	return visits; // NORACE
}
