/* What a member of a struct points to is filled before the struct is copied to shared memory. */
#include <pthread.h>
#include <stdlib.h>
struct cmd {
	int op;
	int *data;
};
static struct cmd slot;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *
serve(void *arg)
{
	int *p;
	pthread_mutex_lock(&m);
	p = slot.data;
	pthread_mutex_unlock(&m);
	if (p)
		*p += 1; // NORACE
	return arg;
}
int
main(void)
{
	pthread_t t;
	struct cmd c;
	int *d;
	pthread_create(&t, NULL, serve, NULL);
	d = malloc(sizeof *d);
	c.op = 2;
	c.data = d;
	*d = 2;
	pthread_mutex_lock(&m);
	slot = c;
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	return *d;
}
