/* Error paths go to one exit that unlocks; one of them jumps from where the lock was given up. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int opened, failures;

static int
open_it(const char *name)
{
	int status = -1;
	char *buf;

	pthread_mutex_lock(&lock);
	if (!name)
		goto out;
	pthread_mutex_unlock(&lock);
	buf = malloc(64);
	if (!buf)
		goto failed;
	pthread_mutex_lock(&lock);
	opened++; // NORACE
	free(buf);
	status = 0;
	goto out;
failed:
	failures++; // RACE
	return status;
out:
	pthread_mutex_unlock(&lock);
	return status;
}

static void *
worker(void *arg)
{
	open_it(arg);
	return NULL;
}

int
main(void)
{
	static char name[] = "x";
	pthread_t a, b, c;

	pthread_create(&a, NULL, worker, name);
	pthread_create(&b, NULL, worker, name);
	pthread_create(&c, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
