/* Each thread has its own range of an array, from its number. */
#include <pthread.h>

#define N 4
#define CHUNK 16
static int data[N * CHUNK + 1];

static void *
fill(void *arg)
{
	long id = (long)arg;

	for (long i = id * CHUNK; i < (id + 1) * CHUNK; i++)
		data[i] = (int)id; // NORACE-LIKELY
	return NULL;
}

int
main(void)
{
	pthread_t t[4];

	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, fill, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
