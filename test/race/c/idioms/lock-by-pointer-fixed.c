/* Two queues point to one lock, and share a pool. */
#include <pthread.h>

struct queue {
	pthread_mutex_t *lock;
	int *pool;
};

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static int pool;
static struct queue in = {&first, &pool};
static struct queue out = {&first, &pool};

static void *
drain_in(void *arg)
{
	pthread_mutex_lock(in.lock);
	*in.pool += 1; // NORACE
	pthread_mutex_unlock(in.lock);
	return arg;
}

static void *
drain_out(void *arg)
{
	pthread_mutex_lock(out.lock);
	*out.pool -= 1; // NORACE
	pthread_mutex_unlock(out.lock);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_mutex_lock(&second);
	pthread_create(&a, NULL, drain_in, NULL);
	pthread_mutex_unlock(&second);
	pthread_create(&b, NULL, drain_out, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return pool;
}
