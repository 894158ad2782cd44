/* Double-checked initialisation with a plain pointer. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct conf {
	int size;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct conf *conf;

static struct conf *
get(void)
{
	struct conf *c = conf; // RACE

	if (!c) {
		pthread_mutex_lock(&m);
		c = conf;
		if (!c) {
			c = calloc(1, sizeof *c);
			if (c)
				c->size = 4;
			conf = c; // RACE
		}
		pthread_mutex_unlock(&m);
	}
	return c;
}

static void *
work(void *arg)
{
	struct conf *c = get();

	return c && c->size ? arg : NULL;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
