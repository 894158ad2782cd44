/* A table holds commands and start routines: the main thread touches what the routine counts, without its lock. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

typedef int Command(int, char **);
typedef void *Start(void *);

static void **table; /* name, function, name, function, ... of all kinds */
static int entries, shown, sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void
add(void *name, void *function)
{
	table = realloc(table, (size_t)(entries + 2) * sizeof *table);
	table[entries++] = name;
	table[entries++] = function;
}

static int
show(int argc, char **argv)
{
	return shown += argc + (argv[0] != NULL); // NORACE
}

static void *
count(void *arg)
{
	pthread_mutex_lock(&lock);
	sum += *(int *)arg; // RACE
	pthread_mutex_unlock(&lock);
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t a, b;
	int one = 1;

	add("show", (void *)show);
	add("count", (void *)count);
	pthread_create(&a, NULL, (Start *)table[argc], &one);
	pthread_create(&b, NULL, (Start *)table[argc], &one);
	((Command *)table[argc - 1])(argc, argv);
	sum += argc; // RACE
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return shown + sum;
}
