/* A count that goes up atomically is read as volatile, which reads it as it is written: doubtful at most. */
#include <pthread.h>

static volatile int count;
static int (*read_count)(void);

static int
get(void)
{
	return count; // NORACE-LIKELY
}

static void *
work(void *arg)
{
	__sync_fetch_and_add(&count, 1); // NORACE-LIKELY
	return arg;
}

int
main(void)
{
	pthread_t t;
	int n;

	read_count = get;
	pthread_create(&t, 0, work, 0);
	n = read_count();
	pthread_join(t, 0);
	return n;
}
