/* A wide member of a union overlaps each narrow one. */
#include <pthread.h>

static union {
	long l;
	int i[2];
} u;

static void *
writer(void *arg)
{
	u.l = 1; // RACE
	return arg;
}

int
main(void)
{
	pthread_t h;
	int seen;

	pthread_create(&h, NULL, writer, NULL);
	seen = u.i[1]; // RACE
	pthread_join(h, NULL);
	return seen;
}
