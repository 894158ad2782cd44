/* A node is linked behind the exchange that pushed it: whoever takes the list may find it unlinked. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	int value;
	struct node *next;
};

static _Atomic(struct node *) inbox;
static atomic_int stop;

static void
post(int value)
{
	struct node *n = malloc(sizeof *n), *head = atomic_load(&inbox);

	n->value = value;
	while (!atomic_compare_exchange_weak(&inbox, &head, n))
		;
	n->next = head; // RACE
}
static void *
take(void *arg)
{
	long sum = 0;

	while (!atomic_load(&stop)) {
		struct node *n = atomic_exchange(&inbox, NULL);

		while (n) {
			struct node *next = n->next; // RACE
			sum += n->value;
			n = next;
		}
	}
	return (void *)sum;
}
int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, take, NULL);
	for (int i = 0; i < 10; i++)
		post(i);
	atomic_store(&stop, 1);
	pthread_join(t, NULL);
	return 0;
}
