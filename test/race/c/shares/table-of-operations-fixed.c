/* Each thread gets an entry of a table, which starts with the place that it changes: no two entries name the same. */
#include <pthread.h>

struct op {
	pthread_mutex_t *lock;
	int *place;
	void (*change)(int *);
};

static int first, second, third;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;

static void
up(int *p)
{
	++*p; // NORACE
}
static void
down(int *p)
{
	--*p; // NORACE
}
static struct op ops[3] = {{&a, &first, up}, {&b, &second, down}, {&c, &third, up}};

static void *
run(void *arg)
{
	struct op *o = arg;

	pthread_mutex_lock(o->lock);
	o->change(o->place);
	pthread_mutex_unlock(o->lock);
	return NULL;
}
int
main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, run, &ops[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return first + second + third;
}
