/* A balanced tree of counters: looked up, and walked through, under its lock. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct tree GTree;
GTree *g_tree_new_full(int (*compare)(const void *, const void *, void *), void *arg,
		       void (*end_key)(void *), void (*end_value)(void *));
void g_tree_insert(GTree *t, void *key, void *value);
void *g_tree_lookup(GTree *t, const void *key);
void g_tree_foreach(GTree *t, int (*f)(void *, void *, void *), void *arg);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static GTree *tree;

static int compare(const void *a, const void *b, void *arg)
{
	(void)arg;
	return strcmp(a, b);
}

static int reset(void *key, void *value, void *arg)
{
	(void)key;
	(void)arg;
	*(int *)value = 0; // NORACE
	return 0;
}

static void *count(void *key)
{
	int *n;

	pthread_mutex_lock(&lock);
	n = g_tree_lookup(tree, key);
	if (n)
		++*n; // NORACE
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t;

	tree = g_tree_new_full(compare, NULL, free, free);
	g_tree_insert(tree, strdup("one"), calloc(1, sizeof(int)));
	pthread_create(&t, NULL, count, "one");
	pthread_mutex_lock(&lock);
	g_tree_foreach(tree, reset, NULL);
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
