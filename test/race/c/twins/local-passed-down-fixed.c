/* Local variables go through the function that shared objects go through, and are not kept anywhere. */
#include <pthread.h>
#include <stddef.h>

struct pair {
	int first, second;
};

static struct pair common;
static struct pair *shared;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static struct pair *
follow(struct pair *p, int n)
{
	return n ? follow(p, n - 1) : p;
}

static void *
work(void *arg)
{
	struct pair own = {0};
	struct pair *p = follow(&own, 3);

	pthread_mutex_lock(&m);
	shared->second += p != &own;
	pthread_mutex_unlock(&m);
	for (int k = 0; k < 10; k++)
		own.second += k; // NORACE
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	shared = follow(&common, 2);
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return shared->first;
}
