/* What may be allocated or a default is freed only if it was allocated: a variable is
 * never freed, so nobody races with that. */
#include <pthread.h>
#include <stdlib.h>

struct settings {
	int level;
};

static struct settings standard = {1};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void
drop(struct settings *s, int owned)
{
	if (owned)
		free(s);
}

static void *
work(void *arg)
{
	struct settings *s = arg ? malloc(sizeof *s) : &standard;
	int level = s == &standard ? standard.level : 0; // NORACE

	pthread_mutex_lock(&lock);
	sum += level;
	pthread_mutex_unlock(&lock);
	drop(s, arg != NULL);
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, work, argc > 1 ? argv[1] : NULL);
	pthread_create(&t[1], NULL, work, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return sum;
}
