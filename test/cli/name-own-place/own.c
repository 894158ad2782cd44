/* A table has text of the environment beside structures: the race is on the structures. */
#include <pthread.h>
#include <stdlib.h>

struct link {
	char *name;
	int last;
};

static void *table[2];

static void *
touch(void *arg)
{
	for (int i = 0; i < 2; i++)
		if (!arg || i)
			((struct link *)table[i])->last = i;
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t t;

	table[0] = getenv("HOME");
	table[argc > 1] = malloc(sizeof(struct link));
	pthread_create(&t, NULL, touch, argv);
	touch(argv);
	pthread_join(t, NULL);
	return 0;
}
