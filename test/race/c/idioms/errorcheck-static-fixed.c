/* An error-checking mutex by its initialiser, locked once around the access. */
#define _GNU_SOURCE
#include <pthread.h>

static struct {
	int id;
	pthread_mutex_t m;
} box = {1, PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP};
static int g;

static void *run(void *a)
{
	pthread_mutex_lock(&box.m);
	g++; // NORACE
	pthread_mutex_unlock(&box.m);
	return a;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, 0, run, 0);
	pthread_create(&u, 0, run, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
