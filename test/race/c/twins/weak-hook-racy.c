/* A weak default hook that a strong definition replaces counts in a global. */
#include <pthread.h>

int count;
__attribute__((weak)) void
hook(void)
{
	count++; // RACE
}

static void *
w(void *a)
{
	hook();
	return a;
}

int
main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, w, NULL);
	if (hook)
		hook();
	pthread_join(t, NULL);
	return count; // NORACE
}
