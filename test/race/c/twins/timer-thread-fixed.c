/* A timer's function and main count under one lock. */
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

struct meter {
	pthread_mutex_t lock;
	int ticks;
};

static void
tick(union sigval v)
{
	struct meter *m = v.sival_ptr;

	pthread_mutex_lock(&m->lock);
	m->ticks++; // NORACE
	pthread_mutex_unlock(&m->lock);
}

int
main(void)
{
	static struct meter m = {PTHREAD_MUTEX_INITIALIZER, 0};
	struct sigevent e = {0};
	timer_t timer;

	e.sigev_notify = SIGEV_THREAD;
	e.sigev_notify_function = tick;
	e.sigev_value.sival_ptr = &m;
	m.ticks = 1; // NORACE
	timer_create(CLOCK_MONOTONIC, &e, &timer);
	sleep(1);
	pthread_mutex_lock(&m.lock);
	m.ticks = 0; // NORACE
	pthread_mutex_unlock(&m.lock);
	return 0;
}
