/* Two threads each work on a field of their own in one object. */
#include <pthread.h>
#include <stdlib.h>

struct pipe {
	int produced;
	int consumed;
};

static void *
produce(void *arg)
{
	struct pipe *p = arg;

	for (int i = 0; i < 10; i++)
		p->produced++; // NORACE
	return NULL;
}

static void *
consume(void *arg)
{
	struct pipe *p = arg;

	for (int i = 0; i < 10; i++)
		p->consumed++; // NORACE
	return NULL;
}

int
main(void)
{
	struct pipe *p = calloc(1, sizeof *p);
	pthread_t a, b;

	if (!p)
		return 1;
	pthread_create(&a, NULL, produce, p);
	pthread_create(&b, NULL, consume, p);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(p); // NORACE
	return 0;
}
