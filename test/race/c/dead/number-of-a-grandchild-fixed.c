/* A thread with number 1 starts one with number 2, which starts one with number 3: there is one of each. */
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
		last++; // NORACE
		break;
	}
	return NULL;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, (void *)1);
	pthread_join(t, NULL);
	return 0;
}
