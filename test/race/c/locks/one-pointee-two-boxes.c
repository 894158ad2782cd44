/* Each box guards its pointer, but both pointers lead to one object. */
#include <pthread.h>

struct data {
	int x;
};

struct box {
	pthread_mutex_t m;
	struct data *p;
};

static struct data d;
static struct box b1 = {.m = PTHREAD_MUTEX_INITIALIZER};
static struct box b2 = {.m = PTHREAD_MUTEX_INITIALIZER};

static void
touch(struct box *b)
{
	pthread_mutex_lock(&b->m);
	b->p->x++; // RACE
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

	b1.p = &d;
	b2.p = &d;
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
