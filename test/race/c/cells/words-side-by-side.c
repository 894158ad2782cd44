/* The words start a word apart. */
#include <pthread.h>

static _Alignas(int) char buf[2 * sizeof(int)];

static void *
worker(void *arg)
{
	char *own = arg;

	*(int *)own = 1; // NORACE
	return NULL;
}

int
main(void)
{
	pthread_t h[2];

	pthread_create(&h[0], NULL, worker, buf);
	pthread_create(&h[1], NULL, worker, buf + sizeof(int));
	pthread_join(h[0], NULL);
	pthread_join(h[1], NULL);
	return buf[0]; // NORACE
}
