/* Locks by an index that is computed, and by one that has no name. */
#include <pthread.h>

static pthread_mutex_t lock[8];
static int count[8];

static int
next(void *arg)
{
	return *(int *)arg ? 1 : 2;
}

static void *
touch(void *arg)
{
	long i = (long)arg;

	pthread_mutex_lock(&lock[(i + 1) % 8]);
	count[0]++;
	pthread_mutex_unlock(&lock[(i + 1) % 8]);
	return arg;
}

static void *
other(void *arg)
{
	int n = arg ? 3 : 4;

	pthread_mutex_lock(&lock[n > 3 ? 0 : next(&n)]);
	count[1]++;
	pthread_mutex_unlock(&lock[n > 3 ? 0 : next(&n)]);
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t t, u;

	pthread_create(&t, NULL, touch, (void *)(long)argc);
	pthread_create(&u, NULL, other, argv);
	touch((void *)2);
	other(argv);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
