/* One caller passes the spin lock's functions where the other passes the mutex's. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t s;
static int n;

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
	++*p; // RACE
	u();
}

static void *
w(void *a)
{
	with(ml, mu, &n);
	return a;
}

int
main(void)
{
	pthread_t t;
	pthread_spin_init(&s, 0);
	pthread_create(&t, NULL, w, NULL);
	with(sl, su, &n);
	pthread_join(t, NULL);
	return n; // NORACE
}
