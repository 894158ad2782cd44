/* Hash buckets with a lock each; the size has its own. */
#include <pthread.h>

#define N 8
struct bucket {
	pthread_mutex_t lock;
	int value;
};

static struct bucket bucket[N];
static pthread_mutex_t size_lock = PTHREAD_MUTEX_INITIALIZER;
static int size;

static void *
insert(void *arg)
{
	struct bucket *b = &bucket[(long)arg % N];

	pthread_mutex_lock(&b->lock);
	b->value++; // NORACE
	pthread_mutex_lock(&size_lock);
	size++; // NORACE
	pthread_mutex_unlock(&size_lock);
	pthread_mutex_unlock(&b->lock);
	return NULL;
}

int
main(void)
{
	pthread_t t[4];

	for (int i = 0; i < N; i++)
		pthread_mutex_init(&bucket[i].lock, NULL);
	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, insert, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
