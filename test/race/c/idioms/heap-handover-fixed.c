/* A message is handed to a new thread, which owns and frees it from then on. */
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

	m->tries++; // NORACE
	free(m); // NORACE
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
