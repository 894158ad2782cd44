/* A batch of threads behind a test, which count under a lock. */
#include <pthread.h>
#include <stddef.h>
enum { N = 4 };
static int width, total;
static pthread_t thread[N];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg)
{
	pthread_mutex_lock(&lock);
	total++; // NORACE
	pthread_mutex_unlock(&lock);
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
