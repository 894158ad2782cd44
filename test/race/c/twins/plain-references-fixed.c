/* References are counted atomically, and the last one frees. */
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
typedef struct obj {
	atomic_int refs;
	int payload;
} obj;
static void
obj_put(obj *o)
{
	if (atomic_fetch_sub(&o->refs, 1) == 1)
		free(o); // NORACE-LIKELY
}
static void *
use(void *p)
{
	obj *o = p;
	int v = o->payload; // NORACE-LIKELY
	obj_put(o);
	return (void *)(long)v;
}
int
main(void)
{
	obj *o = malloc(sizeof *o);
	pthread_t a, b;
	o->refs = 3;
	o->payload = 42;
	pthread_create(&a, 0, use, o);
	pthread_create(&b, 0, use, o);
	pthread_detach(a);
	pthread_detach(b);
	obj_put(o);
	pthread_exit(0);
}
