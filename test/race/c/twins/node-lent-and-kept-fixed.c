/* What a thread is lent it does not keep. */
#include <pthread.h>
#include <stdlib.h>
struct node {
	int n, sum;
};
static struct node *last;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *
visit(void *arg)
{
	struct node *f = arg;
	if (f->n < 1)
		return NULL;
	struct node *a = malloc(sizeof *a);
	pthread_t x;
	a->n = f->n - 1;
	a->sum = 0;
	pthread_create(&x, NULL, visit, a);
	pthread_join(x, NULL);
	f->sum = a->sum + 1; // NORACE
	return NULL;
}
static void *
watch(void *arg)
{
	struct node *s;
	pthread_mutex_lock(&m);
	s = last;
	pthread_mutex_unlock(&m);
	if (s)
		s->sum = 7; // NORACE
	return arg;
}
int
main(void)
{
	struct node r = {6, 0};
	pthread_t t;
	pthread_create(&t, NULL, watch, NULL);
	visit(&r);
	pthread_join(t, NULL);
	return r.sum;
}
