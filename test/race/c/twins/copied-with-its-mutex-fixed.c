/* A struct with a pointer to its mutex is copied: the copies share the mutex. */
#include <pthread.h>

struct box {
	pthread_mutex_t *m;
	int *p;
};
static int data;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct box one = {&m, &data}, two;

static void *
w(void *a)
{
	struct box *b = a;
	pthread_mutex_lock(b->m);
	(*b->p)++; // NORACE
	pthread_mutex_unlock(b->m);
	return NULL;
}

int
main(void)
{
	pthread_t a, b;
	two = one;
	pthread_create(&a, NULL, w, &one);
	pthread_create(&b, NULL, w, &two);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return data; // NORACE
}
