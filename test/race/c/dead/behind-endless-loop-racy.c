/* The loop ends after a while. */
#include <pthread.h>
#include <unistd.h>

static int served, ended;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void
serve(void)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		if (served++ > 100) { // NORACE
			pthread_mutex_unlock(&lock);
			break;
		}
		pthread_mutex_unlock(&lock);
		sleep(1);
	}
}

static void *
work(void *arg)
{
	serve();
	ended++; // RACE
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
