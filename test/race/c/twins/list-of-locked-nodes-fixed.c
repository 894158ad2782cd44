/* Nodes of a list have their locks, and their values are used under these. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	struct node *next;
	pthread_mutex_t lock;
	int value;
};

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *head;

static void *
add_all(void *arg)
{
	for (struct node *n = head; n; n = n->next) {
		pthread_mutex_lock(&n->lock);
		n->value++; // NORACE
		pthread_mutex_unlock(&n->lock);
	}
	return arg;
}

static void *
clear_all(void *arg)
{
	for (struct node *n = head; n; n = n->next) {
		pthread_mutex_lock(&n->lock);
		n->value = 0; // NORACE
		pthread_mutex_unlock(&n->lock);
	}
	pthread_mutex_lock(&list_lock);
	pthread_mutex_unlock(&list_lock);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	for (int i = 0; i < 3; i++) {
		struct node *n = calloc(1, sizeof *n);

		if (!n)
			return 1;
		pthread_mutex_init(&n->lock, NULL);
		n->next = head;
		head = n;
	}
	pthread_create(&a, NULL, add_all, NULL);
	pthread_create(&b, NULL, clear_all, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
