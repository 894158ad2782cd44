/* Assembly that counts in memory that all threads have. */
#include <pthread.h>

static int count;

static void *
work(void *arg)
{
	__asm__ volatile("incl %0" : "+m"(count)); // RACE
	return arg;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, 0, work, 0);
	work(0);
	pthread_join(t, 0);
	return 0;
}
