/* A number is taken outside the critical section that counts it up. */
#include <pthread.h>

#define N 4
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int next, data[N];
static void *
work(void *arg)
{
	int mine;
	mine = next; // RACE
	pthread_mutex_lock(&m);
	next++; // RACE
	pthread_mutex_unlock(&m);
	data[mine] = 1; // RACE
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
