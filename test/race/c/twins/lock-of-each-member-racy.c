/* A struct of locks: one function uses the lock of the wrong member. */
#include <pthread.h>

struct stat {
	struct {
		pthread_mutex_t lock;
		long n;
	} reads, writes;
};
static struct stat s = {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};

static void *
r(void *a)
{
	pthread_mutex_lock(&s.reads.lock);
	s.reads.n++; // RACE
	pthread_mutex_unlock(&s.reads.lock);
	return a;
}

static void *
w(void *a)
{
	pthread_mutex_lock(&s.writes.lock);
	s.reads.n--;  // RACE
	s.writes.n++; // NORACE
	pthread_mutex_unlock(&s.writes.lock);
	return a;
}

int
main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, r, NULL);
	pthread_create(&b, NULL, w, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
