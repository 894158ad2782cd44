/* Blocks of threads in a shared array, each filled by its own thread. */
#include <pthread.h>
#include <stdlib.h>

struct block {
	int used;
};

static struct block *block[4];
static struct block *first;

static void *
work(void *arg)
{
	struct block *b = calloc(1, sizeof *b);

	if (!b)
		return NULL;
	b->used = 1; // NORACE
	block[(long)arg] = b; // NORACE
	return NULL;
}

int
main(void)
{
	pthread_t t[4];

	static struct block shared;

	first = &shared;
	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
