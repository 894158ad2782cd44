/* Each box guards what lies inside it. */
#include <pthread.h>

struct box {
	pthread_mutex_t m;
	int x;
};

static struct box b1 = {.m = PTHREAD_MUTEX_INITIALIZER};
static struct box b2 = {.m = PTHREAD_MUTEX_INITIALIZER};

static void
touch(struct box *b)
{
	pthread_mutex_lock(&b->m);
	b->x++; // NORACE
	pthread_mutex_unlock(&b->m);
}

static void *
worker(void *arg)
{
	touch(&b1);
	touch(&b2);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
