/* A loop numbers the arguments, another one hands them out. */
#include <pthread.h>

#define N 4
static int number[N], data[N];
static void *
work(void *arg)
{
	int id = *(int *)arg;
	data[id]++; // NORACE
	return NULL;
}
int
main(void)
{
	pthread_t t[N];
	for (int i = 0; i < N; i++)
		number[i] = i;
	for (int i = 0; i < N; i++)
		pthread_create(&t[i], NULL, work, &number[i]);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return 0;
}
