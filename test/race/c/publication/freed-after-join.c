/* The object is freed when its reader has ended. */
#include <pthread.h>
#include <stdlib.h>

struct item {
	int x;
};

static void *
reader(void *arg)
{
	struct item *p = arg;

	return p->x ? arg : NULL; // NORACE
}

int
main(void)
{
	struct item *p = malloc(sizeof *p);
	pthread_t h;

	p->x = 1; // NORACE
	pthread_create(&h, NULL, reader, p);
	pthread_join(h, NULL);
	free(p); // NORACE
	return 0;
}
