/* A command is sent over a pipe, as a pointer, and changed by its sender after that: more are sent later. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct cmd {
	int op, arg;
};

static int fds[2];
static int sum;

static void *consumer(void *x)
{
	struct cmd *c;

	while (read(fds[0], &c, sizeof c) == sizeof c && c) {
		if (c->op == 1) // RACE
			sum += c->arg;
		free(c); // RACE
	}
	return x;
}

static int send_cmd(int op, int arg)
{
	struct cmd *c = malloc(sizeof *c);

	if (!c)
		return -1;
	c->op = op;
	c->arg = arg;
	if (write(fds[1], &c, sizeof c) != sizeof c) {
		free(c);
		return -1;
	}
	c->op = 0; // RACE
	return 0;
}

int main(void)
{
	pthread_t t;
	struct cmd *end = 0;

	if (pipe(fds))
		return 1;
	pthread_create(&t, 0, consumer, 0);
	for (int i = 0; i < 10; i++)
		send_cmd(1, i);
	if (write(fds[1], &end, sizeof end) < 0)
		return 1;
	pthread_join(t, 0);
	return sum;
}
