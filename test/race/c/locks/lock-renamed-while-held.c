/* The object names another lock than the one that was taken through it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct box {
	pthread_mutex_t *lk;
	int x;
};

static pthread_mutex_t A = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t B = PTHREAD_MUTEX_INITIALIZER;
static struct box *_Atomic G;

static void *
first(void *arg)
{
	struct box *o = malloc(sizeof *o);

	o->lk = &A;
	pthread_mutex_lock(o->lk);
	o->lk = &B;
	atomic_store_explicit(&G, o, memory_order_release);
	o->x = 1; // RACE
	pthread_mutex_unlock(&A);
	return arg;
}

static void *
second(void *arg)
{
	struct box *o = atomic_load_explicit(&G, memory_order_acquire);

	if (o) {
		pthread_mutex_lock(o->lk);
		o->x = 2; // RACE
		pthread_mutex_unlock(o->lk);
	}
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
