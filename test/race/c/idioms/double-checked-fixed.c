/* Double-checked locking with an acquire load and a release store. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct log {
	int level;
};

static _Atomic(struct log *) the_log;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct log *
get_log(void)
{
	struct log *l = atomic_load_explicit(&the_log, memory_order_acquire); // NORACE

	if (l)
		return l;
	pthread_mutex_lock(&lock);
	l = atomic_load_explicit(&the_log, memory_order_relaxed); // NORACE
	if (!l) {
		l = calloc(1, sizeof *l);
		if (!l)
			abort();
		l->level = 2; // NORACE
		atomic_store_explicit(&the_log, l, memory_order_release); // NORACE
	}
	pthread_mutex_unlock(&lock);
	return l;
}

static void *
user(void *arg)
{
	return get_log()->level ? arg : NULL; // NORACE
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, user, NULL);
	pthread_create(&b, NULL, user, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
