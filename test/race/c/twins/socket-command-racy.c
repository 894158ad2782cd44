/* What a command points to is changed after the command was sent. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
struct cmd {
	int op;
	int *data;
};
static int sv[2];
static void *
srv(void *u)
{
	struct cmd c;
	while (recv(sv[1], &c, sizeof c, 0) == sizeof c && c.op)
		*c.data += c.op; // RACE
	return 0;
}
int
main(void)
{
	pthread_t t;
	struct cmd c;
	socketpair(AF_UNIX, SOCK_STREAM, 0, sv);
	pthread_create(&t, 0, srv, 0);
	int *d = malloc(sizeof *d);
	*d = 1;
	c.op = 2;
	c.data = d;
	send(sv[0], &c, sizeof c, 0);
	*d = 2; // RACE
	c.op = 0;
	send(sv[0], &c, sizeof c, 0);
	pthread_join(t, 0);
	return *d;
}
