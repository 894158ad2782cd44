/* Choi et al., Figure 1, all three locks the same object,
 * with a copy of m1 for each thread so that its statements can be told apart. */
// PAIRS: T1_S20-S18 definite
#include <pthread.h>

struct obj {
	pthread_mutex_t lock;
	int f, g;
};

struct child {
	struct obj *a, *b, *c;
};

static struct obj o1 = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct obj data;
static struct obj *p = &o1, *q = &data, *x = &data;
static struct child T1 = {&o1, &data, NULL}, T2 = {&o1, &data, NULL};

static void
main_m1(struct obj *y)
{
main_S20:
	y->f = 100; // NORACE
}

static void
t1_m1(struct obj *y)
{
T1_S20:
	y->f = 100; // RACE definite
}

static void
t2_m1(struct obj *y)
{
T2_S20:
	y->f = 100; // NORACE
}

static void
m2(struct obj *w)
{
	struct obj z;

	z.g = w != NULL; // NORACE
}

static void *
t1_run(void *arg)
{
	struct child *t = arg;

	pthread_mutex_lock(&t->a->lock);
	t1_m1(t->b);
	m2(t->c);
	pthread_mutex_unlock(&t->a->lock);
	return NULL;
}

static void *
t2_run(void *arg)
{
	struct child *t = arg;

	pthread_mutex_lock(&t->a->lock);
	t2_m1(t->b);
	m2(t->c);
	pthread_mutex_unlock(&t->a->lock);
	return NULL;
}

int
main(void)
{
	pthread_t h1, h2;

	pthread_create(&h2, NULL, t2_run, &T2);
	pthread_create(&h1, NULL, t1_run, &T1);
	pthread_mutex_lock(&p->lock);
	main_m1(q);
	pthread_mutex_unlock(&p->lock);
	pthread_join(h2, NULL);
S18:
	x->f = 200; // RACE definite
	pthread_join(h1, NULL);
	return 0;
}
