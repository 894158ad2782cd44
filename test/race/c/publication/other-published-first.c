/* Other objects of the same allocation are published while this one is filled in. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int x, y;
};

static struct node *head;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void
push(struct node *n)
{
	pthread_mutex_lock(&m);
	n->next = head;
	head = n;
	pthread_mutex_unlock(&m);
}

static struct node *
make(int depth)
{
	struct node *n = malloc(sizeof *n);

	if (!n)
		abort();
	n->x = depth; // NORACE
	if (depth)
		push(make(depth - 1));
	n->y = depth; // NORACE
	return n;
}

static void *
work(void *arg)
{
	struct node *n = make(3);
	int sum = 0;

	n->y++; // NORACE
	push(n);
	pthread_mutex_lock(&m);
	for (n = head; n; n = n->next)
		sum += n->x + n->y; // NORACE
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
