/* A table of GLib that two threads fill and ask without a lock; its values, too, are used without one. */
#include "glib.h"

struct user {
	GMutex mutex;
	int visits;
};

static GHashTable *users;

static gpointer
visitor(gpointer arg)
{
	struct user *u = g_hash_table_lookup(users, arg); // RACE

	if (!u) {
		u = g_new0(struct user, 1);
		g_hash_table_insert(users, g_strdup(arg), u); // RACE
	}
	u->visits++; // RACE
	return NULL;
}

int
main(void)
{
	GThread *a, *b;

	users = g_hash_table_new(g_str_hash, g_str_equal); // NORACE
	a = g_thread_new("a", visitor, "ann");
	b = g_thread_new("b", visitor, "ann");
	g_thread_join(a);
	g_thread_join(b);
	return (int)g_hash_table_size(users); // NORACE
}
