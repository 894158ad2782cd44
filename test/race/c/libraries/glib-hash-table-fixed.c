/* A table of GLib that two threads fill and ask under a mutex; its values have a lock each. */
#include "glib.h"

struct user {
	GMutex mutex;
	int visits;
};

static GMutex mutex;
static GHashTable *users;

static struct user *
find(char *name)
{
	struct user *u;

	g_mutex_lock(&mutex);
	u = g_hash_table_lookup(users, name); // NORACE
	if (!u) {
		u = g_new0(struct user, 1);
		g_hash_table_insert(users, g_strdup(name), u); // NORACE
	}
	g_mutex_unlock(&mutex);
	return u;
}

static gpointer
visitor(gpointer arg)
{
	struct user *u = find(arg);

	g_mutex_lock(&u->mutex);
	u->visits++; // NORACE
	g_mutex_unlock(&u->mutex);
	return NULL;
}

int
main(void)
{
	GThread *a, *b;

	users = g_hash_table_new(g_str_hash, g_str_equal); // NORACE
	a = g_thread_new("a", visitor, "ann");
	b = g_thread_new("b", visitor, "bob");
	g_thread_join(a);
	g_thread_join(b);
	return (int)g_hash_table_size(users); // NORACE
}
