/* The program's table of commands escapes to a library with the object that leads to it; the
 * library is not given the commands, and the program calls them itself, but in two threads. */
#include <pthread.h>
#include <stdlib.h>

struct command {
	const char *name;
	void (*run)(int);
};
struct server {
	struct command *commands;
	int fd;
};

extern int net_attach(struct server *s);
extern int net_flags(int fd);
extern int net_receive(int fd);

static int reloads;

static void
reload(int n)
{
	reloads += n; // RACE
}

static void *
listener(void *arg)
{
	struct server *s = arg;

	while (net_flags(s->fd))
		s->commands[0].run(0);
	return NULL;
}

int
main(void)
{
	struct server *s = malloc(sizeof *s);
	pthread_t t;

	s->commands = malloc(sizeof *s->commands);
	s->commands[0].name = "reload";
	s->commands[0].run = reload;
	s->fd = net_attach(s);
	pthread_create(&t, NULL, listener, s);
	while (net_receive(s->fd))
		s->commands[0].run(1);
	return 0;
}
