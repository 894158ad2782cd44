/* Each element has its lock; a reset clears whole elements, others use single members. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define N 8
struct stat {
	long hits, misses;
};

static pthread_mutex_t lock[N];
static struct stat stat[N];

static void *
reset(void *arg)
{
	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&lock[i]);
		memset(&stat[i], 0, sizeof stat[i]); // NORACE
		pthread_mutex_unlock(&lock[i]);
	}
	return arg;
}

static void *
count(void *arg)
{
	int i = *(int *)arg % N;

	pthread_mutex_lock(&lock[i]);
	stat[i].misses++; // NORACE
	pthread_mutex_unlock(&lock[i]);
	return NULL;
}

int
main(void)
{
	pthread_t a, b;
	int n = rand() & 7;

	for (int i = 0; i < N; i++)
		pthread_mutex_init(&lock[i], NULL);
	pthread_create(&a, NULL, reset, NULL);
	pthread_create(&b, NULL, count, &n);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
