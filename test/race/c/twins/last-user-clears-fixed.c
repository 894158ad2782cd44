/* Who takes the last reference clears the object and frees it. */
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
	if (atomic_fetch_sub(&o->users, 1) == 1) {
		o->state = 0; // NORACE
		free(o); // NORACE
	}
}

static void *
user(void *arg)
{
	struct object *o = arg;

	if (o->state == 3) // NORACE
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
