/* Messages go through a pipe by their addresses; whoever receives one owns it. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
struct msg {
	int kind;
	char text[16];
};
static int fd[2];
static void *
rx(void *u)
{
	struct msg *m;
	while (read(fd[0], &m, sizeof m) == sizeof m) {
		if (m->kind == 0)
			return 0;
		free(m); // NORACE-LIKELY
	}
	return 0;
}
int
main(void)
{
	pthread_t t;
	if (pipe(fd))
		return 1;
	pthread_create(&t, 0, rx, 0);
	for (int i = 3; i >= 0; i--) {
		struct msg *m = malloc(sizeof *m);
		m->kind = i;
		m->text[0] = 'a';
		write(fd[1], &m, sizeof m);
	}
	pthread_join(t, 0);
	return 0;
}
