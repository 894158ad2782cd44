/* The object itself is published, by a function that returns it, while it is filled in. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int x, y;
};

static struct node *head;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static struct node *
push(struct node *n)
{
	pthread_mutex_lock(&m);
	n->next = head;
	head = n;
	pthread_mutex_unlock(&m);
	return n;
}

static struct node *
make(int depth)
{
	struct node *n = malloc(sizeof *n);

	if (!n)
		abort();
	n->x = depth; // NORACE
	if (depth)
		n = push(n);
	n->y = depth; // RACE
	return n;
}

static void *
work(void *arg)
{
	struct node *n = make(3);
	int sum = 0;

	n->y++; // RACE
	push(n);
	pthread_mutex_lock(&m);
	for (n = head; n; n = n->next)
		sum += n->x + n->y; // RACE
	pthread_mutex_unlock(&m);
	return sum ? arg : NULL;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
