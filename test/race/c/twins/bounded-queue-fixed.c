/* A bounded queue with two condition variables. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, room = PTHREAD_COND_INITIALIZER;
static int queue[8], count, head;

static void *
producer(void *arg)
{
	pthread_mutex_lock(&m);
	while (count == 8)
		pthread_cond_wait(&room, &m);
	queue[(head + count) % 8] = 1; // NORACE
	count++; // NORACE
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&m);
	return arg;
}

static void *
consumer(void *arg)
{
	pthread_mutex_lock(&m);
	while (!count)
		pthread_cond_wait(&more, &m);
	head = (head + 1) % 8; // NORACE
	count--; // NORACE
	pthread_cond_signal(&room);
	pthread_mutex_unlock(&m);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, producer, NULL);
	pthread_create(&b, NULL, consumer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
