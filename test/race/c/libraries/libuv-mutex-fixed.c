/* Threads and mutexes of libuv. */
#include <stddef.h>

typedef unsigned long uv_thread_t;
typedef struct {
	long words[8];
} uv_mutex_t;
int uv_thread_create(uv_thread_t *, void (*)(void *), void *);
int uv_thread_join(uv_thread_t *);
int uv_mutex_init(uv_mutex_t *);
void uv_mutex_lock(uv_mutex_t *);
void uv_mutex_unlock(uv_mutex_t *);

static uv_mutex_t mutex;
static int count;

static void
worker(void *arg)
{
	uv_mutex_lock(&mutex);
	count++; // NORACE
	uv_mutex_unlock(&mutex);
}

int
main(void)
{
	uv_thread_t t;

	uv_mutex_init(&mutex);
	count = 1; // NORACE
	uv_thread_create(&t, worker, NULL);
	uv_mutex_lock(&mutex);
	count++; // NORACE
	uv_mutex_unlock(&mutex);
	uv_thread_join(&t);
	return count; // NORACE
}
