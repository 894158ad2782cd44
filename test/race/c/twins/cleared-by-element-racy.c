/* Each element has its lock; a reset clears the element beside the one whose lock it took. */
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
	for (int i = 0; i + 1 < N; i++) {
		pthread_mutex_lock(&lock[i]);
		memset(&stat[i + 1], 0, sizeof stat[i]); // RACE
		pthread_mutex_unlock(&lock[i]);
	}
	return arg;
}

static void *
count(void *arg)
{
	int i = *(int *)arg % N;

	pthread_mutex_lock(&lock[i]);
	stat[i].misses++; // RACE
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
