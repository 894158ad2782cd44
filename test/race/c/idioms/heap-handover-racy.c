/* A message is handed to a new thread, but its sender keeps counting in it. */
#include <pthread.h>
#include <stdlib.h>

struct message {
	int tries;
	char text[32];
};

static void *
deliver(void *arg)
{
	struct message *m = arg;

	m->tries++; // RACE
	return NULL;
}

static pthread_t
post(int tries)
{
	struct message *m = calloc(1, sizeof *m);
	pthread_t t;

	if (!m)
		abort();
	m->tries = tries; // NORACE
	if (pthread_create(&t, NULL, deliver, m) != 0)
		abort();
	m->tries++; // RACE
	return t;
}

int
main(void)
{
	pthread_t a = post(0), b = post(1);

	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
