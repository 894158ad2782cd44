/* What a thread that could not be started was to get is freed by its creator. */
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

	c->bytes = (int)read(c->fd, c->buf, sizeof c->buf); // NORACE
	close(c->fd);					    // NORACE
	free(c);					    // NORACE
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
		if (pthread_create(&t, NULL, serve, c) != 0) {
			close(c->fd); // NORACE
			free(c);      // NORACE
			continue;
		}
		pthread_detach(t);
	}
	return 0;
}
