/* sem_timedwait may time out, and the result is not looked at. */
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t s;
static int answer;

static void *
w(void *a)
{
	answer = 42; // RACE possible
	sem_post(&s);
	return a;
}

int
main(void)
{
	pthread_t t;
	struct timespec ts = {1, 0};
	sem_init(&s, 0, 0);
	pthread_create(&t, NULL, w, NULL);
	sem_timedwait(&s, &ts);
	return answer; // RACE possible
}
