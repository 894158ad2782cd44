/* Two members of a union that share no byte of what is accessed. */
#include <pthread.h>

static union {
	long l;
	int i[2];
} u;

static void *
writer(void *arg)
{
	u.i[0] = 1; // NORACE
	return arg;
}

int
main(void)
{
	pthread_t h;
	int seen;

	pthread_create(&h, NULL, writer, NULL);
	seen = u.i[1]; // NORACE
	pthread_join(h, NULL);
	return seen;
}
