/* Bits of one word, one for each thread, set atomically. */
#include <pthread.h>
#include <stdatomic.h>

static _Atomic unsigned done;

static void *
work(void *arg)
{
	atomic_fetch_or(&done, 1u << (long)arg); // NORACE
	return NULL;
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
