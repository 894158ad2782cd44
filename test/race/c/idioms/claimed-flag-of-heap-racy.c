/* The lock of a pool is held for reading only where a cell is taken, so that two may take it. */
#include <pthread.h>
#include <stdlib.h>

#define CELLS 4

struct hive {
	pthread_rwlock_t lock;
	int used[CELLS];
	long honey[CELLS];
};

static void
work(struct hive *h)
{
	int mine = -1;

	pthread_rwlock_rdlock(&h->lock);
	for (int i = 0; i < CELLS; i++)
		if (!h->used[i]) {
			h->used[i] = 1;
			mine = i;
			break;
		}
	pthread_rwlock_unlock(&h->lock);
	if (mine < 0)
		return;
	h->honey[mine]++; // RACE
	pthread_rwlock_rdlock(&h->lock);
	h->used[mine] = 0; // RACE possible
	pthread_rwlock_unlock(&h->lock);
}

static void *
bee(void *arg)
{
	for (int k = 0; k < 40; k++)
		work(arg);
	return NULL;
}

int
main(void)
{
	struct hive *hives[2];
	pthread_t t[6];

	for (int i = 0; i < 2; i++) {
		hives[i] = calloc(1, sizeof *hives[i]);
		if (!hives[i])
			abort();
		pthread_rwlock_init(&hives[i]->lock, NULL);
	}
	for (int i = 0; i < 6; i++)
		pthread_create(&t[i], NULL, bee, hives[i % 2]);
	for (int i = 0; i < 6; i++)
		pthread_join(t[i], NULL);
	return 0;
}
