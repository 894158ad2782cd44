/* Choi et al., Figure 1, with T2.a another object than T1.a and main's p. */
// PAIRS: S20-S20 definite, S20-S18 definite
#include <pthread.h>

struct obj {
	pthread_mutex_t lock;
	int f, g;
};

struct child {
	struct obj *a, *b, *c;
};

static struct obj o1 = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct obj o2 = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct obj data;
static struct obj *p = &o1, *q = &data, *x = &data;
static struct child T1 = {&o1, &data, NULL}, T2 = {&o2, &data, NULL};

static void
m1(struct obj *y)
{
S20:
	y->f = 100; // RACE definite
}

static void
m2(struct obj *w)
{
	struct obj z;

	z.g = w != NULL; // NORACE
}

static void *
run(void *arg)
{
	struct child *t = arg;

	pthread_mutex_lock(&t->a->lock);
	m1(t->b);
	m2(t->c);
	pthread_mutex_unlock(&t->a->lock);
	return NULL;
}

int
main(void)
{
	pthread_t h1, h2;

	pthread_create(&h2, NULL, run, &T2);
	pthread_create(&h1, NULL, run, &T1);
	pthread_mutex_lock(&p->lock);
	m1(q);
	pthread_mutex_unlock(&p->lock);
	pthread_join(h2, NULL);
S18:
	x->f = 200; // RACE definite
	pthread_join(h1, NULL);
	return 0;
}
