/* What a thread has left for its end is done where it ends itself, or others end it, not only where it is taken back. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ended, cancelled, outer, deep;

static void count_end(void *x) { ended++; } // RACE
static void count_cancel(void *x) { cancelled++; } // RACE
static void count_outer(void *x) { outer++; } // RACE
static void nothing(void *x) { }
static void count_deep(void *x) { deep++; } // RACE

static void *
end_itself(void *x)
{
	pthread_cleanup_push(count_end, NULL);
	pthread_exit(x);
	pthread_cleanup_pop(0);
	return x;
}

static void *
wait_for_ever(void *x)
{
	pthread_cleanup_push(count_cancel, NULL);
	for (;;)
		usleep(1000);
	pthread_cleanup_pop(0);
	return x;
}

/* The inner one comes first, then the outer one. */
static void *
nested(void *x)
{
	pthread_cleanup_push(count_outer, NULL);
	pthread_cleanup_push(nothing, NULL);
	if (x)
		pthread_exit(x);
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	return x;
}

/* It sleeps without the lock that its caller holds. */
static void
sleep_unlocked(void)
{
	pthread_mutex_unlock(&lock);
	usleep(1000);
	pthread_mutex_lock(&lock);
}

static void *
sleep_below(void *x)
{
	pthread_mutex_lock(&lock);
	pthread_cleanup_push(count_deep, NULL);
	sleep_unlocked();
	pthread_cleanup_pop(0);
	pthread_mutex_unlock(&lock);
	return x;
}

int
main(void)
{
	pthread_t a, b, c, d;

	pthread_create(&a, NULL, end_itself, NULL);
	pthread_create(&b, NULL, wait_for_ever, NULL);
	pthread_create(&c, NULL, nested, &a);
	pthread_create(&d, NULL, sleep_below, NULL);
	ended = 1; // RACE
	outer = 1; // RACE
	pthread_cancel(b);
	pthread_cancel(d);
	cancelled = 1; // RACE
	pthread_mutex_lock(&lock);
	deep = 1; // RACE
	pthread_mutex_unlock(&lock);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	pthread_join(d, NULL);
	return ended + cancelled + outer + deep; // NORACE
}
