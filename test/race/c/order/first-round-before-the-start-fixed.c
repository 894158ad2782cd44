/* The first round sets something before its thread is started. */
#include <pthread.h>

static int config;

static void *
worker(void *arg)
{
	return (void *)(long)(config + (long)arg); // NORACE
}

int
main(int argc, char **argv)
{
	pthread_t t[8];

	for (long i = 0; i < 8; i++) {
		if (i > 0)
			argc++;
		else
			config = argc; // NORACE
		pthread_create(&t[i], NULL, worker, (void *)i);
	}
	for (int i = 0; i < 8; i++)
		pthread_join(t[i], NULL);
	return argv[0] == 0;
}
