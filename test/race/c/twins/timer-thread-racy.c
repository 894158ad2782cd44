/* A timer's function runs in a thread of its own, and counts what main counts. */
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

struct meter {
	int ticks;
};

static void
tick(union sigval v)
{
	struct meter *m = v.sival_ptr;

	m->ticks++; // RACE
}

int
main(void)
{
	static struct meter m;
	struct sigevent e = {0};
	timer_t timer;

	e.sigev_notify = SIGEV_THREAD;
	e.sigev_notify_function = tick;
	e.sigev_value.sival_ptr = &m;
	timer_create(CLOCK_MONOTONIC, &e, &timer);
	sleep(1);
	m.ticks = 0; // RACE
	return 0;
}
