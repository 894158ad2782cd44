/* A counter and its lock in another file. */
// WITH: two-files-part.c
#include <pthread.h>

extern int shared_count;
extern void count_up(void);

static void *
worker(void *arg)
{
	count_up();
	return arg;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	count_up();
	pthread_join(t, NULL);
	return shared_count; // NORACE
}
