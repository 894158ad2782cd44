/* The same with settings on the heap that both threads have: who frees them races. */
#include <pthread.h>
#include <stdlib.h>

struct settings {
	int level;
};

static struct settings standard = {1};
static struct settings *current = &standard;
static int owned;

static void *
work(void *arg)
{
	int level = current->level; // RACE

	return level ? arg : NULL;
}

static void *
end(void *arg)
{
	if (owned)
		free(current); // RACE
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t t[2];

	if (argc > 1) {
		current = malloc(sizeof *current);
		current->level = argv[1][0];
		owned = 1;
	}
	pthread_create(&t[0], NULL, work, NULL);
	pthread_create(&t[1], NULL, end, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
