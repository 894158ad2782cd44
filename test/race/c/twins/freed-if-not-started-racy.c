/* What a thread was started with is freed by its creator, too: the test is upside down. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

struct conn {
	int fd;
	int bytes;
	char buf[64];
};

static void *
serve(void *arg)
{
	struct conn *c = arg;

	c->bytes = (int)read(c->fd, c->buf, sizeof c->buf); // RACE
	close(c->fd);					    // RACE
	return NULL;
}
int
main(void)
{
	int s = socket(AF_INET, SOCK_STREAM, 0);

	for (;;) {
		struct conn *c = malloc(sizeof *c);
		pthread_t t;

		if (!c)
			break;
		c->fd = accept(s, NULL, NULL);
		if (pthread_create(&t, NULL, serve, c) == 0) {
			free(c); // RACE
			continue;
		}
		pthread_detach(t);
	}
	return 0;
}
