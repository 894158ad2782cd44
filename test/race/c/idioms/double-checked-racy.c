/* Double-checked locking on a plain pointer: the first check races. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct log {
	int level;
};

static struct log *the_log;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct log *
get_log(void)
{
	struct log *l = the_log; // RACE

	if (l)
		return l;
	pthread_mutex_lock(&lock);
	l = the_log; // NORACE
	if (!l) {
		l = calloc(1, sizeof *l);
		if (!l)
			abort();
		l->level = 2; // RACE possible
		the_log = l; // RACE
	}
	pthread_mutex_unlock(&lock);
	return l;
}

static void *
user(void *arg)
{
	return get_log()->level ? arg : NULL; // RACE possible
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
