/* A library locks what its callers give it, but not in one of its functions: the object is meant to be shared. */
// FLAGS: --open
#include <pthread.h>

struct stat_result {
	pthread_mutex_t *lock;
	long calls;
	long bytes;
};

void
count(struct stat_result *to, long n)
{
	pthread_mutex_lock(to->lock);
	to->calls++;
	to->bytes += n; // RACE
	pthread_mutex_unlock(to->lock);
}

void
clear(struct stat_result *to)
{
	to->bytes = 0; // RACE
}
