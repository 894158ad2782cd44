/* A helper gets lock and unlock as function pointers (ops chosen at run time). */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t s;
static int n, k;

static void
ml(void)
{
	pthread_mutex_lock(&m);
}

static void
mu(void)
{
	pthread_mutex_unlock(&m);
}

static void
sl(void)
{
	pthread_spin_lock(&s);
}

static void
su(void)
{
	pthread_spin_unlock(&s);
}

static void
with(void (*l)(void), void (*u)(void), int *p)
{
	l();
	++*p; // NORACE
	u();
}

static void *
w(void *a)
{
	with(ml, mu, &n);
	with(sl, su, &k);
	return a;
}

int
main(void)
{
	pthread_t t;
	pthread_spin_init(&s, 0);
	pthread_create(&t, NULL, w, NULL);
	with(ml, mu, &n);
	with(sl, su, &k);
	pthread_join(t, NULL);
	return n + k; // NORACE
}
