/* As many threads as an option says are started; it is less by one when they are joined. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 32 };

static struct {
	int jobs;
	char *pass;
} options;
static int hits;

static void *use(void *arg)
{
	if (options.pass[0] == 'x') // RACE
		__atomic_fetch_add(&hits, 1, __ATOMIC_RELAXED);
	return arg;
}

static void run(void)
{
	pthread_t t[MAX] = {0};

	for (int i = 0; i < options.jobs && i < MAX; i++)
		if (pthread_create(&t[i], NULL, use, NULL))
			break;
	options.jobs--;
	for (int i = 0; i < options.jobs && i < MAX; i++)
		if (t[i])
			pthread_join(t[i], NULL);
}

int main(int argc, char **argv)
{
	options.jobs = atoi(argv[argc - 1]);
	options.pass = strdup(argv[0]);
	run();
	memset(&options, 0, sizeof options); // RACE
	return hits;
}
