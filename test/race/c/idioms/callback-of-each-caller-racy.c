/* Two threads walk through a table of thousands with the same callback; nobody else has it called. */
// FLAGS: --points-to unification --contexts none
#include <pthread.h>

struct box {
	long n;
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

/* Each caller has its own callback. */
static void
each(void (*f)(struct box *), int first)
{
	for (int i = first; i < 2000; i += 2)
		f(all[i]);
}

static void *
eat_pears(void *arg)
{
	each(drop_pear, 1);
	return arg;
}

static void *
eat_apples(void *arg)
{
	each(drop_apple, 0);
	return arg;
}

int
main(void)
{
	pthread_t t, u, v;

	pthread_create(&t, NULL, eat_pears, NULL);
	pthread_create(&u, NULL, eat_pears, NULL);
	pthread_create(&v, NULL, eat_apples, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	pthread_join(v, NULL);
	return 0;
}
