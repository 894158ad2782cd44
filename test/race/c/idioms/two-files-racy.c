/* A counter in another file, incremented here without the lock that is there. */
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
	shared_count++; // RACE
	pthread_join(t, NULL);
	return shared_count; // NORACE
}
