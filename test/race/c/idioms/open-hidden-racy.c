/* The same where the function is visible, and a hidden one that has a visible name. */
// FLAGS: --open
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count, sum;

void
lib_count(int n)
{
	count += n; // RACE
}

__attribute__((visibility("hidden"))) void
lib_sum_now(int n)
{
	sum += n; // RACE
}

void lib_sum(int n) __attribute__((alias("lib_sum_now"), visibility("default")));

void
lib_add(int n)
{
	pthread_mutex_lock(&lock);
	lib_count(n);
	lib_sum_now(n);
	pthread_mutex_unlock(&lock);
}
