/* Threads with number 1 start one with number 2 each, and these one with number 3. */
// FLAGS: --contexts none
#include <pthread.h>

static int last;

static void *
worker(void *arg)
{
	pthread_t next;

	switch ((int)(long)arg) {
	case 1:
		pthread_create(&next, NULL, worker, (void *)2);
		break;
	case 2:
		pthread_create(&next, NULL, worker, (void *)3);
		break;
	case 3:
		last++; // RACE
		break;
	}
	return NULL;
}

int
main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, (void *)1);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
