/* The new node is filled in after it is in the list and the lock is gone. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int x;
};

static struct node *head;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
writer(void *arg)
{
	struct node *n = malloc(sizeof *n);

	pthread_mutex_lock(&m);
	n->next = head; // NORACE
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	head = n; // NORACE
	pthread_mutex_unlock(&m);
	n->x = 1; // RACE
	return arg;
}

static void *
reader(void *arg)
{
	int sum = 0;

	pthread_mutex_lock(&m);
	if (head)
		sum = head->x; // RACE
	pthread_mutex_unlock(&m);
	return sum ? arg : NULL;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
