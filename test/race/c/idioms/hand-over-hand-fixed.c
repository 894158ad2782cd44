/* Lock coupling on a list: a node's value is only touched under the node's lock. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	pthread_mutex_t lock;
	int value;
	struct node *next;
};

static struct node *head;

static void *
bump(void *arg)
{
	struct node *n = head, *next;

	pthread_mutex_lock(&n->lock);
	while ((next = n->next) != NULL) { // NORACE
		pthread_mutex_lock(&next->lock);
		pthread_mutex_unlock(&n->lock);
		next->value++; // NORACE-LIKELY
		n = next;
	}
	pthread_mutex_unlock(&n->lock);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	for (int i = 0; i < 8; i++) {
		struct node *n = calloc(1, sizeof *n);

		if (!n)
			return 1;
		pthread_mutex_init(&n->lock, NULL);
		n->next = head;
		head = n;
	}
	pthread_create(&a, NULL, bump, NULL);
	pthread_create(&b, NULL, bump, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
