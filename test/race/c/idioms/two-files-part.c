// PART
/* The counter of two-files-racy.c and two-files-fixed.c, with its lock. */
#include <pthread.h>

int shared_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void
count_up(void)
{
	pthread_mutex_lock(&lock);
	shared_count++;
	pthread_mutex_unlock(&lock);
}
