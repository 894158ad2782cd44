/* A loop that sets something in its first round runs once more when all are joined. But some are not. */
#include <pthread.h>

static int config;

static void *
worker(void *arg)
{
	return (void *)(long)(config + (long)arg); // RACE
}

int
main(int argc, char **argv)
{
	pthread_t t[8];

	for (int k = 0; k < argc; k++) {
		for (long i = 0; i < 8; i++) {
			if (!i)
				config = argc; // RACE
			pthread_create(&t[i], NULL, worker, (void *)i);
		}
		for (int i = 1; i < 8; i++)
			pthread_join(t[i], NULL);
	}
	return argv[0] == 0;
}
