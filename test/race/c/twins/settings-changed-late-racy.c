/* Settings are changed when all readers but the last have been joined. */
#include <pthread.h>

#define N 4
static int setting = 1;
static void *
work(void *arg)
{
	return setting ? arg : NULL; // RACE
}
int
main(void)
{
	pthread_t t[N];
	for (long i = 0; i < N; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < N - 1; i++)
		pthread_join(t[i], NULL);
	setting = 2; // RACE
	return 0;
}
