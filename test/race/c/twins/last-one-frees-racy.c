/* An object is freed by whoever counts its references down to none, and used after that. */
#include <pthread.h>
#include <stdatomic.h>

#include <stdlib.h>
struct object {
	atomic_int references;
	int value;
};
static void
drop(struct object *o)
{
	if (atomic_fetch_sub(&o->references, 1) == 1)
		free(o);
}
static void *
work(void *arg)
{
	struct object *o = arg;
	drop(o);
	int seen = o->value; // RACE

	return seen ? arg : NULL;
}
int
main(void)
{
	pthread_t a, b;
	struct object *o = malloc(sizeof *o);
	o->value = 1;
	atomic_init(&o->references, 2);
	pthread_create(&a, NULL, work, o);
	pthread_create(&b, NULL, work, o);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
