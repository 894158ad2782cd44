/* What threads have left for their ends is done with the lock, or joined. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t come = PTHREAD_COND_INITIALIZER;
static int ended, waiters, ready, joined;

static void
count_end(void *x)
{
	pthread_mutex_lock(&lock);
	ended++; // NORACE
	pthread_mutex_unlock(&lock);
}

/* Who is cancelled while it waits has the lock again. */
static void
leave(void *x)
{
	waiters--; // NORACE
	pthread_mutex_unlock(&lock);
}

static void count_joined(void *x) { joined++; } // NORACE

static void *
end_itself(void *x)
{
	pthread_cleanup_push(count_end, NULL);
	pthread_exit(x);
	pthread_cleanup_pop(0);
	return x;
}

static void *
wait_ready(void *x)
{
	pthread_mutex_lock(&lock);
	waiters++; // NORACE
	pthread_cleanup_push(leave, NULL);
	while (!ready) // NORACE
		pthread_cond_wait(&come, &lock);
	pthread_cleanup_pop(1);
	return x;
}

static void *
count_at_end(void *x)
{
	pthread_cleanup_push(count_joined, NULL);
	pthread_exit(x);
	pthread_cleanup_pop(0);
	return x;
}

int
main(void)
{
	pthread_t a, b, c;

	pthread_create(&c, NULL, count_at_end, NULL);
	pthread_join(c, NULL);
	joined++; // NORACE
	pthread_create(&a, NULL, end_itself, NULL);
	pthread_create(&b, NULL, wait_ready, NULL);
	pthread_mutex_lock(&lock);
	ended = 1; // NORACE
	waiters += 0; // NORACE
	ready = 1; // NORACE
	pthread_mutex_unlock(&lock);
	pthread_cancel(b);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return ended + waiters; // NORACE
}
