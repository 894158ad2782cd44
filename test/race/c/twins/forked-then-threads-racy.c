/* A child starts a thread of its own, and both count in the child's memory. */
#include <pthread.h>
#include <unistd.h>

static int n;

static void *
w(void *a)
{
	n++; // RACE
	return a;
}

int
main(void)
{
	if (fork() == 0) {
		pthread_t t;
		pthread_create(&t, NULL, w, NULL);
		n++; // RACE
		pthread_join(t, NULL);
		_exit(n); // NORACE
	}
	return 0;
}
