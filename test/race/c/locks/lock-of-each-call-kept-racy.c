/* run() ends with the lock held, which is a local variable: the next call of run() does not hold its own. */
#include <pthread.h>

struct job {
	pthread_mutex_t m;
	int n;
};

static int total;

static void *
work(void *arg)
{
	struct job *j = arg;

	if (pthread_mutex_trylock(&j->m))
		return NULL;
	total += j->n; // RACE possible
	pthread_mutex_unlock(&j->m);
	return NULL;
}

static void
run(int n)
{
	struct job j = {.n = n};
	pthread_t t;

	pthread_mutex_init(&j.m, NULL);
	pthread_create(&t, NULL, work, &j);
	total++; // RACE possible
	pthread_mutex_lock(&j.m);
	total++;
	pthread_join(t, NULL);
}

int
main(int argc, char **argv)
{
	(void)argv;
	for (int k = 0; k < argc; k++)
		run(argc);
	return total;
}
