/* A request is sent over a socket pair, as a pointer; its sender looks at it again once it was answered. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

struct rpc {
	int a, b, sum;
};

static int sv[2];

static void *serve(void *x)
{
	struct rpc *r;

	while (read(sv[1], &r, sizeof r) == (ssize_t)sizeof r && r) {
		r->sum = r->a + r->b; // NORACE-LIKELY
		if (write(sv[1], &r, sizeof r) < 0)
			break;
	}
	return x;
}

int main(void)
{
	pthread_t t;
	int total = 0;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sv))
		return 1;
	pthread_create(&t, 0, serve, 0);
	for (int i = 0; i < 5; i++) {
		struct rpc *r = malloc(sizeof *r), *back = 0;
		r->a = i;
		r->b = 1;
		if (write(sv[0], &r, sizeof r) < 0)
			break;
		if (read(sv[0], &back, sizeof back) < 0)
			break;
		total += r->sum; // NORACE-LIKELY
	}
	shutdown(sv[0], SHUT_WR);
	pthread_join(t, 0);
	return total;
}
