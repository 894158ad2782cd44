/* Like lock-of-each-call-fixed.c; who makes the lock takes it, too, and so does a helper of both. */
#include <pthread.h>

struct job {
	pthread_mutex_t m;
	int n, done;
};

static int total;

static void
add(struct job *j)
{
	pthread_mutex_lock(&j->m);
	total += j->n; // NORACE
	j->done++;     // NORACE
	pthread_mutex_unlock(&j->m);
}

static void *
work(void *arg)
{
	add(arg);
	return NULL;
}

static void
run(int n)
{
	struct job j = {.n = n};
	pthread_t t;

	pthread_mutex_init(&j.m, NULL);
	pthread_create(&t, NULL, work, &j);
	add(&j);
	pthread_join(t, NULL);
	pthread_mutex_destroy(&j.m);
}

int
main(int argc, char **argv)
{
	(void)argv;
	for (int k = 0; k < argc; k++)
		run(argc);
	return total; // NORACE
}
