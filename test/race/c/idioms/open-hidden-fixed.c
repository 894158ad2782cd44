/* A function that is hidden from the callers of a library, which call it under the
 * lock only, by a visible one. */
// FLAGS: --open
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

__attribute__((visibility("hidden"))) void
lib_count(int n)
{
	count += n; // NORACE
}

void
lib_add(int n)
{
	pthread_mutex_lock(&lock);
	lib_count(n);
	pthread_mutex_unlock(&lock);
}
