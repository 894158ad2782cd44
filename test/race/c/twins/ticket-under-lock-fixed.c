/* A number is taken and counted up in one critical section, and selects a cell. */
#include <pthread.h>

#define N 4
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int next, data[N];
static void *
work(void *arg)
{
	int mine;
	pthread_mutex_lock(&m);
	mine = next++;
	pthread_mutex_unlock(&m);
	data[mine] = 1; // NORACE
	return arg;
}
int
main(void)
{
	pthread_t t[N];

	for (long i = 0; i < N; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return 0;
}
