/* Slots in an array of structs: a thread also counts in the first one. */
#include <pthread.h>

struct slot {
	long count;
	char pad[56];
};

static struct slot slot[4];

static void *
work(void *arg)
{
	struct slot *own = &slot[(long)arg];

	for (int k = 0; k < 100; k++)
		slot[0].count++; // RACE
	return own;
}

int
main(void)
{
	pthread_t t[4];

	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
