/* A library fills in what its callers give it, and locks nothing there: two calls at once on one object are not what it is for. */
// FLAGS: --open
#include <pthread.h>

struct stat_result {
	long calls;
	long bytes;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long calls, bytes;

void
count(long n)
{
	pthread_mutex_lock(&lock);
	calls++;    // NORACE
	bytes += n; // NORACE
	pthread_mutex_unlock(&lock);
}

void
get_stat(struct stat_result *to)
{
	pthread_mutex_lock(&lock);
	to->calls = calls; // NORACE
	pthread_mutex_unlock(&lock);
	to->bytes = 0; // NORACE-LIKELY
}
