/* A test may keep a batch of threads from being started again, but not one from the others of its batch. */
#include <pthread.h>
#include <stddef.h>
enum { N = 4 };
static int width, total;
static pthread_t thread[N];
static void *work(void *arg)
{
	total++; // RACE
	return arg;
}
static void resize(int to)
{
	if (to == width)
		return;
	for (int i = 0; i < N; i++)
		pthread_create(&thread[i], NULL, work, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(thread[i], NULL);
	width = to;
}
int main(int argc, char **argv)
{
	(void)argv;
	width = 1;
	for (int i = 0; i < argc; i++)
		resize(i);
	return total != 0;
}
