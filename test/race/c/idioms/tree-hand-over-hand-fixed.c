/* Each node is locked before its parent is given back. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	int key, hits;
	struct node *left, *right;
	pthread_mutex_t lock;
};
static struct node root = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct node *
make(int key)
{
	struct node *n = calloc(1, sizeof *n);

	n->key = key;
	pthread_mutex_init(&n->lock, NULL);
	return n;
}

static void
visit(int key)
{
	struct node *p = &root, *n;

	pthread_mutex_lock(&p->lock);
	for (;;) {
		struct node **child = key < p->key ? &p->left : &p->right;

		p->hits++; // NORACE
		n = *child; // NORACE
		if (!n)
			break;
		pthread_mutex_lock(&n->lock);
		pthread_mutex_unlock(&p->lock);
		p = n;
	}
	if (key < p->key)
		p->left = make(key);
	else
		p->right = make(key);
	pthread_mutex_unlock(&p->lock);
}

static void *
worker(void *arg)
{
	for (int i = 0; i < 10; i++)
		visit(i + (int)(long)arg);
	return NULL;
}

int
main(void)
{
	pthread_t t[3];

	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
