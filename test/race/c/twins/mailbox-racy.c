/* A mailbox of one message that is read again after it was given back. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int full;
static int message;
static void *
sender(void *arg)
{
	for (int i = 0; i < 4; i++) {
		while (atomic_load(&full))
			;
		message = i; // RACE
		atomic_store(&full, 1);
	}
	return arg;
}
static void *
receiver(void *arg)
{
	int sum = 0;
	for (int i = 0; i < 4; i++) {
		while (!atomic_load(&full))
			;
		sum += message;
		atomic_store(&full, 0);
		sum += message; // RACE
	}
	return sum ? arg : NULL;
}
int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, sender, NULL);
	pthread_create(&b, NULL, receiver, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
