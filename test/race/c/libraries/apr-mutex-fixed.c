/* Threads and mutexes of the Apache Portable Runtime. */
#include <stddef.h>

typedef struct apr_pool_t apr_pool_t;
typedef struct apr_thread_t apr_thread_t;
typedef struct apr_threadattr_t apr_threadattr_t;
typedef struct apr_thread_mutex_t apr_thread_mutex_t;
int apr_thread_create(apr_thread_t **, apr_threadattr_t *, void *(*)(apr_thread_t *, void *), void *,
		      apr_pool_t *);
int apr_thread_join(int *, apr_thread_t *);
int apr_thread_mutex_create(apr_thread_mutex_t **, unsigned, apr_pool_t *);
int apr_thread_mutex_lock(apr_thread_mutex_t *);
int apr_thread_mutex_unlock(apr_thread_mutex_t *);

static apr_thread_mutex_t *mutex, *other;
static int count;

static void *
worker(apr_thread_t *self, void *arg)
{
	apr_thread_mutex_lock(mutex);
	count++; // NORACE
	apr_thread_mutex_unlock(mutex);
	return NULL;
}

int
main(void)
{
	apr_thread_t *t;
	int status;

	apr_thread_mutex_create(&mutex, 0, NULL);
	apr_thread_mutex_create(&other, 0, NULL);
	apr_thread_create(&t, NULL, worker, NULL, NULL);
	apr_thread_mutex_lock(mutex);
	count++; // NORACE
	apr_thread_mutex_unlock(mutex);
	apr_thread_join(&status, t);
	return count; // NORACE
}
