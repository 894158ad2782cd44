/* A program so large that its accesses are listed in stages side by side: thousands of
 * functions, each entered with many sets of locks; one place forgets its own. */
#include <pthread.h>

#define TEN(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7) X(n##8) X(n##9)
#define HUNDRED(X, n)                                                                              \
	TEN(X, n##0) TEN(X, n##1) TEN(X, n##2) TEN(X, n##3) TEN(X, n##4)                           \
	TEN(X, n##5) TEN(X, n##6) TEN(X, n##7) TEN(X, n##8) TEN(X, n##9)
#define THOUSAND(X, n)                                                                             \
	HUNDRED(X, n##0) HUNDRED(X, n##1) HUNDRED(X, n##2) HUNDRED(X, n##3) HUNDRED(X, n##4)       \
	HUNDRED(X, n##5) HUNDRED(X, n##6) HUNDRED(X, n##7) HUNDRED(X, n##8) HUNDRED(X, n##9)
#define ALL(X) THOUSAND(X, 1) THOUSAND(X, 2)

static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
				  PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static long total, forgotten;

#define LEAF(n)                                                                                    \
	static void leaf##n(long *p)                                                               \
	{                                                                                          \
		pthread_mutex_lock(&own);                                                          \
		total += *p + n;                                                                   \
		pthread_mutex_unlock(&own);                                                        \
	}
ALL(LEAF) // NORACE

#define CALL(n) leaf##n(p);
static void
call_all(long *p)
{
	ALL(CALL)
	forgotten++; // RACE
}

#define UNDER(k, l)                                                                                \
	pthread_mutex_lock(&lock[k]);                                                              \
	pthread_mutex_lock(&lock[l]);                                                              \
	call_all(p);                                                                               \
	pthread_mutex_unlock(&lock[l]);                                                            \
	pthread_mutex_unlock(&lock[k]);

static void *
work(void *arg)
{
	long *p = arg;

	call_all(p);
	UNDER(0, 1)
	UNDER(0, 2)
	UNDER(0, 3)
	UNDER(1, 2)
	UNDER(1, 3)
	UNDER(2, 3)
	return NULL;
}

int
main(void)
{
	pthread_t t[2];
	long x = 1, y = 2;

	pthread_create(&t[0], NULL, work, &x);
	pthread_create(&t[1], NULL, work, &y);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return (int)(total + forgotten);
}
