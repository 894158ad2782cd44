/* A recursive walk runs under its caller's lock, whoever calls. */
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
	t->visits++; // NORACE
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
	pthread_mutex_lock(&lock);
	walk(root.left);
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
