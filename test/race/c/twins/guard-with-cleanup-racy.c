/* A lock guard whose scope ends before the value is read. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void
drop(pthread_mutex_t **p)
{
	pthread_mutex_unlock(*p);
}

static pthread_mutex_t *
take(pthread_mutex_t *p)
{
	pthread_mutex_lock(p);
	return p;
}
#define GUARD(p) __attribute__((cleanup(drop))) pthread_mutex_t *guard_ = take(p)

static int
add(int k)
{
	{
		GUARD(&m);
		n += k; // RACE
	}
	return n; // RACE
}

static void *
w(void *a)
{
	return (void *)(long)add(1);
}

int
main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, w, NULL);
	add(2);
	pthread_join(t, NULL);
	return n; // NORACE
}
