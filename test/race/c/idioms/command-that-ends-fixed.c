/* A command starts a thread, and the process ends with it; who does not come there goes on alone. */
#include <pthread.h>
#include <stdlib.h>
struct command { const char *name; int (*run)(void); };
void library_poll(void);
void library_register(const struct command *);
static int limit;
static void *work(void *arg)
{
	return limit > 2 ? NULL : arg; // NORACE-LIKELY
}
static int start(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	return pthread_detach(t);
}
static const struct command commands[] = {{"start", start}};
static int status;
static void handle(int n)
{
	if (n > 3)
		exit(commands[0].run());
}
int main(int argc, char **argv)
{
	(void)argv;
	library_poll();
	handle(argc);
	limit = argc; // NORACE-LIKELY
	library_register(commands);
	handle(argc + 1);
	return status;
}
