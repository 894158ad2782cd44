/* A function that creates a thread and returns its handle; loops keep the handles and join them all. */
#include <pthread.h>
#include <stdlib.h>

static long sum, most;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
run(void *arg)
{
	void (*body)(void) = (void (*)(void))arg;

	body();
	return NULL;
}

static pthread_t
spawn(void (*body)(void))
{
	pthread_t t;

	if (pthread_create(&t, NULL, run, (void *)body))
		abort();
	return t;
}

static void
add(void)
{
	pthread_mutex_lock(&m);
	sum++; // NORACE
	pthread_mutex_unlock(&m);
}

static void
compare(void)
{
	pthread_mutex_lock(&m);
	most = most > 3 ? most : 3; // NORACE
	pthread_mutex_unlock(&m);
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4;
	pthread_t four[4], *many = malloc((size_t)n * sizeof *many);

	for (int i = 0; i < 4; i++)
		four[i] = spawn(add);
	for (int i = 0; i < 4; i++)
		pthread_join(four[i], NULL);
	sum = 0; // NORACE
	for (int i = 0; i < n; i++)
		many[i] = spawn(compare);
	for (int i = 0; i < n; i++)
		pthread_join(many[i], NULL);
	most = 0; // NORACE
	return 0;
}
