/* The name is copied, and looked at. */
#include <pthread.h>
#include <string.h>

struct record {
	int id;
	char name[32];
	int hits;
};
static struct record r;

static void *
rename_it(void *arg)
{
	const char *to = arg;

	memcpy(r.name, to, strlen(to)); // RACE
	return NULL;
}

static void *
count(void *arg)
{
	r.hits += r.name[0];
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t t, u;

	pthread_create(&t, NULL, rename_it, argv[argc - 1]);
	pthread_create(&u, NULL, count, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return r.hits;
}
