/* A callee releases the lock when it fails; its caller goes on as if it were held. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stored, attempts;

/* Called with the lock held; gives it up and returns -1 on failure. */
static int
make_room(void)
{
	if (rand() % 7 == 0) {
		pthread_mutex_unlock(&lock);
		return -1;
	}
	return 0;
}

static void *
store(void *arg)
{
	pthread_mutex_lock(&lock);
	attempts++; // NORACE
	if (make_room() < 0) {
		stored--; // RACE
		return NULL;
	}
	stored++; // RACE
	pthread_mutex_unlock(&lock);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, store, NULL);
	pthread_create(&b, NULL, store, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
