/* Ticket numbers from __sync_fetch_and_add, and beside it a plain count of tickets. */
#include <pthread.h>

static int ticket, open_tickets;

static void *
visitor(void *arg)
{
	int mine = __sync_fetch_and_add(&ticket, 1); // NORACE

	open_tickets++; // RACE
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
