/* A recursive walk runs under its caller's lock; one caller has none. */
#include <pthread.h>
#include <stddef.h>

struct tree {
	struct tree *left, *right;
	int visits;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct tree leaf, root = {&leaf, NULL, 0};

static void
walk(struct tree *t)
{
	if (!t)
		return;
	walk(t->left);
	t->visits++; // RACE
	walk(t->right);
}

static void *
walker(void *arg)
{
	pthread_mutex_lock(&lock);
	walk(&root);
	pthread_mutex_unlock(&lock);
	return arg;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, walker, NULL);
	walk(root.left);
	pthread_join(t, NULL);
	return 0;
}
