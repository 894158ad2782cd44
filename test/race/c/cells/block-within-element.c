/* A block write within the element whose lock is held. */
#include <pthread.h>
#include <string.h>

#define N 4

struct box {
	pthread_mutex_t m;
	int x;
};

static struct box arr[N];

static void
clear(struct box *b)
{
	pthread_mutex_lock(&b->m);
	memset(&b->x, 0, sizeof b->x); // NORACE
	pthread_mutex_unlock(&b->m);
}

static void *
worker(void *arg)
{
	for (int i = 0; i + 1 < N; i++)
		clear(&arr[i]);
	return arg;
}

static void *
reader(void *arg)
{
	int sum = 0;

	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&arr[i].m);
		sum += arr[i].x; // NORACE
		pthread_mutex_unlock(&arr[i].m);
	}
	return sum ? arg : NULL;
}

int
main(void)
{
	pthread_t a, b;

	for (int i = 0; i < N; i++)
		pthread_mutex_init(&arr[i].m, NULL);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
