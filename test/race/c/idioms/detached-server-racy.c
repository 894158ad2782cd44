/* A detached thread per connection counts in a global without a lock. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct conn {
	int fd;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int active;

static void
count(int n)
{
	active += n; // RACE
}

static void *
serve(void *arg)
{
	struct conn *c = arg;
	char buf[16];

	count(1);
	while (read(c->fd, buf, sizeof buf) > 0)
		continue;
	close(c->fd);
	free(c);
	count(-1);
	return NULL;
}

int
main(void)
{
	for (int fd = 0; fd < 8; fd++) {
		struct conn *c = malloc(sizeof *c);
		pthread_t t;

		if (!c)
			return 1;
		c->fd = fd;
		if (pthread_create(&t, NULL, serve, c) == 0)
			pthread_detach(t);
	}
	pthread_mutex_lock(&lock);
	if (active) // RACE
		sleep(1);
	pthread_mutex_unlock(&lock);
	return 0;
}
