/* Whoever takes a message out of the box by an exchange has it alone. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct message {
	int value;
};
static _Atomic(struct message *) box;

static void *
producer(void *arg)
{
	for (int i = 0; i < 9; i++) {
		struct message *m = malloc(sizeof *m);

		m->value = i;
		free(atomic_exchange(&box, m));
	}
	return arg;
}

static void *
consumer(void *arg)
{
	for (int i = 0; i < 9; i++) {
		struct message *m = atomic_exchange(&box, NULL);

		if (m)
			m->value = 0; // NORACE-LIKELY
	}
	return arg;
}

int
main(void)
{
	pthread_t p, c;

	pthread_create(&p, NULL, producer, NULL);
	pthread_create(&c, NULL, consumer, NULL);
	pthread_join(p, NULL);
	pthread_join(c, NULL);
	return 0;
}
