/* Freeing an object writes to all of it: its reader still runs. */
#include <pthread.h>
#include <stdlib.h>

struct item {
	int x;
};

static void *
reader(void *arg)
{
	struct item *p = arg;

	return p->x ? arg : NULL; // RACE
}

int
main(void)
{
	struct item *p = malloc(sizeof *p);
	pthread_t h;

	p->x = 1; // NORACE
	pthread_create(&h, NULL, reader, p);
	free(p); // RACE
	pthread_join(h, NULL);
	return 0;
}
