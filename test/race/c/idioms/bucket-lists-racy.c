/* A hash table: each bucket has its lock and a list of nodes, which are used after it was let go. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int key, value;
};

static struct bucket {
	pthread_mutex_t lock;
	struct node *head;
} table[16];

static void
put(int key, int value)
{
	struct bucket *b = &table[key % 16];
	struct node *n;

	pthread_mutex_lock(&b->lock);
	for (n = b->head; n; n = n->next)
		if (n->key == key)
			break;
	if (!n && (n = malloc(sizeof *n)) != NULL) {
		n->key = key;
		n->next = b->head;
		b->head = n;
	}
	pthread_mutex_unlock(&b->lock);
	if (n)
		n->value = value; // RACE
}

static void *
work(void *arg)
{
	for (int k = 0; k < 64; k++)
		put(k, 1);
	return arg;
}

int
main(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 16; i++)
		pthread_mutex_init(&table[i].lock, NULL);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
