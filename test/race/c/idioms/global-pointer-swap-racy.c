/* A buffer is swapped for a new one under the lock, and the old one still written. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char front[128], back[128];
static char *current = front;

static void *
writer(void *arg)
{
	char *p;

	pthread_mutex_lock(&lock);
	p = current; // NORACE
	pthread_mutex_unlock(&lock);
	p[0] = 'x'; // RACE
	return arg;
}

static void *
swapper(void *arg)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		current = current == front ? back : front; // NORACE
		current[0] = '\0'; // RACE
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, swapper, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
