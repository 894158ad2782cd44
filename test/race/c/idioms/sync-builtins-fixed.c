/* Ticket numbers and their count, both by the __sync builtins. */
#include <pthread.h>

static int ticket, open_tickets;

static void *
visitor(void *arg)
{
	int mine = __sync_fetch_and_add(&ticket, 1); // NORACE

	__sync_add_and_fetch(&open_tickets, 1); // NORACE
	return mine ? arg : NULL;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, visitor, NULL);
	pthread_create(&b, NULL, visitor, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return open_tickets; // NORACE
}
