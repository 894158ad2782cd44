/* Assembly that counts in the segment of the thread, or in a kernel of the processor. */
#include <pthread.h>

static int count;

static void *
work(void *arg)
{
	__asm__ volatile("incl %%gs:%0" : "+m"(count)); // NORACE
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
