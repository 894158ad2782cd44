/* A struct with its mutex is copied: the copy's mutex is another one, what it points to is the same. */
#include <pthread.h>

struct box {
	pthread_mutex_t m;
	int *p;
};
static int data;
static struct box one = {PTHREAD_MUTEX_INITIALIZER, &data}, two;

static void *
w(void *a)
{
	struct box *b = a;
	pthread_mutex_lock(&b->m);
	(*b->p)++; // RACE
	pthread_mutex_unlock(&b->m);
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
