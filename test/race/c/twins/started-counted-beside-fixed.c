/* The threads that were started are counted beside the loop's own counter. */
#include <pthread.h>
#define N 8
static int v[N], sum;
static pthread_t th[N];
static void *
work(void *arg)
{
	*(int *)arg = 1; // NORACE
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
	for (i = 0; i < n; i++)
		pthread_join(th[i], NULL);
	for (i = 0; i < N; i++)
		sum += v[i]; // NORACE
	return sum;
}
