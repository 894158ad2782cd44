/* The first of the threads that were started is not waited for. */
#include <pthread.h>
#define N 8
static int v[N], sum;
static pthread_t th[N];
static void *
work(void *arg)
{
	*(int *)arg = 1; // RACE
	return NULL;
}
int
main(int argc, char **argv)
{
	int i, n = 0;
	(void)argv;
	for (i = 0; i < N && i < argc; i++) {
		if (pthread_create(&th[i], NULL, work, &v[i]))
			break;
		n++;
	}
	for (i = 1; i < n; i++)
		pthread_join(th[i], NULL);
	for (i = 0; i < N; i++)
		sum += v[i]; // RACE
	return sum;
}
