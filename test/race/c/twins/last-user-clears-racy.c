/* Who finds that one reference is left clears the object. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
	atomic_int users;
	int state;
};

static void
drop(struct object *o)
{
	atomic_fetch_sub(&o->users, 1);
	if (atomic_load(&o->users) <= 1) {
		o->state = 0; // RACE
		free(o); // RACE
	}
}

static void *
user(void *arg)
{
	struct object *o = arg;

	if (o->state == 3) // RACE
		arg = NULL;
	drop(o);
	return arg;
}

int
main(void)
{
	struct object *o = malloc(sizeof *o);
	pthread_t a, b;

	if (!o)
		return 1;
	atomic_init(&o->users, 2);
	o->state = 3;
	pthread_create(&a, NULL, user, o);
	pthread_create(&b, NULL, user, o);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
