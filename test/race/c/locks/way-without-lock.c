/* A helper that is called under its lock, and by a longer way without it: the way that forgot the lock
 * is the one that is judged and shown, not the shortest, on which another lock is only tried for. */
// FLAGS: --contexts none
#include <pthread.h>

static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER, spare = PTHREAD_MUTEX_INITIALIZER;
static int count, kept;

static void add(void)
{
	count++; // RACE
}

static void keep(void)
{
	kept++; // NORACE
}

static void quick(void)
{
	int tried = pthread_mutex_trylock(&spare);

	pthread_mutex_lock(&count_lock);
	add();
	keep();
	pthread_mutex_unlock(&count_lock);
	if (!tried)
		pthread_mutex_unlock(&spare);
}

static void inner(void)
{
	add();
	pthread_mutex_lock(&count_lock);
	keep();
	pthread_mutex_unlock(&count_lock);
}

static void outer(void)
{
	inner();
}

static void *worker(void *arg)
{
	quick();
	outer();
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return count + kept;
}
