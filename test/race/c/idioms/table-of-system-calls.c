/* A table of functions of different types, each called by its own: what reads
 * into a buffer is not called where a configuration is looked at. */
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

struct config {
	int verbose, level;
};

static struct config config = {1, 2};
static char line[64];

static int
look(const char *name, struct config *c)
{
	return c->verbose + c->level + (name != NULL); // NORACE
}

static struct {
	const char *name;
	void (*call)(void);
} table[] = {
    {"look", (void (*)(void))look},
    {"read", (void (*)(void))read},
};

static void (*find(const char *name))(void)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (strcmp(table[i].name, name) == 0)
			return table[i].call;
	return NULL;
}

#define do_look ((int (*)(const char *, struct config *))find("look"))
#define do_read ((ssize_t(*)(int, void *, size_t))find("read"))

static void *
worker(void *arg)
{
	if (do_look("worker", &config) > 2)
		do_read(0, line, sizeof line); // RACE
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
