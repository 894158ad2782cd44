/* Two threads drop boxes of one kind from one table of thousands; nobody else calls the method. */
// FLAGS: --points-to unification --contexts none
#include <pthread.h>

struct box {
	const struct kind *kind;
	long n;
};

struct kind {
	void (*drop)(struct box *);
};

/* Two thousand boxes, each a variable of its own: more than a pointer tells apart. */
#define TEN(X, n) X(n##0), X(n##1), X(n##2), X(n##3), X(n##4), X(n##5), X(n##6), X(n##7), X(n##8), X(n##9)
#define SELF(n) n
#define REF(n) &n
#define TENS(X, n) TEN(X, n##0), TEN(X, n##1), TEN(X, n##2), TEN(X, n##3), TEN(X, n##4), \
	TEN(X, n##5), TEN(X, n##6), TEN(X, n##7), TEN(X, n##8), TEN(X, n##9)
#define HUNDREDS(X, n) TENS(X, n##0), TENS(X, n##1), TENS(X, n##2), TENS(X, n##3), TENS(X, n##4), \
	TENS(X, n##5), TENS(X, n##6), TENS(X, n##7), TENS(X, n##8), TENS(X, n##9)
static struct box HUNDREDS(SELF, a), HUNDREDS(SELF, b);
static struct box *all[] = {HUNDREDS(REF, a), HUNDREDS(REF, b)};

static long apples, pears;

static void
drop_apple(struct box *b)
{
	apples += b->n;
}

static void
drop_pear(struct box *b)
{
	pears += b->n; // RACE
}

static const struct kind apple = {drop_apple}, pear = {drop_pear};

static void
drop(struct box *b)
{
	b->kind->drop(b);
}

static void *
eat_pears(void *arg)
{
	for (int i = 1; i < 2000; i += 2)
		drop(all[i]);
	return arg;
}

int
main(void)
{
	pthread_t t, u;

	for (int i = 0; i < 2000; i++)
		all[i]->kind = i % 2 ? &pear : &apple;
	pthread_create(&t, NULL, eat_pears, NULL);
	pthread_create(&u, NULL, eat_pears, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
