/* A constructor starts a thread before main. */
#include <pthread.h>

static int n;
static pthread_t t;

static void *
w(void *a)
{
	n++; // RACE
	return a;
}
__attribute__((constructor)) static void
init(void)
{
	pthread_create(&t, NULL, w, NULL);
}

int
main(void)
{
	n++; // RACE
	pthread_join(t, NULL);
	return n; // NORACE
}
