/* A bounded ring buffer: the free space is computed without the lock. */
#include <pthread.h>

#define SIZE 32

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int ring[SIZE];
static unsigned head, tail;

static unsigned
used(void)
{
	return head - tail; // RACE
}

static void *
producer(void *arg)
{
	for (int i = 0; i < 100; i++) {
		unsigned n = used();

		pthread_mutex_lock(&lock);
		while (n == SIZE) {
			pthread_cond_wait(&not_full, &lock);
			n = used();
		}
		ring[head++ % SIZE] = i; // NORACE
		pthread_cond_signal(&not_empty);
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

static void *
consumer(void *arg)
{
	int sum = 0;

	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&lock);
		while (used() == 0)
			pthread_cond_wait(&not_empty, &lock);
		sum += ring[tail % SIZE]; // NORACE
		tail++; // RACE
		pthread_cond_signal(&not_full);
		pthread_mutex_unlock(&lock);
	}
	return sum ? arg : NULL;
}

int
main(void)
{
	pthread_t p, c;

	pthread_create(&p, NULL, producer, NULL);
	pthread_create(&c, NULL, consumer, NULL);
	pthread_join(p, NULL);
	pthread_join(c, NULL);
	return 0;
}
