/* The reader has no fence. */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *
producer(void *arg)
{
	data = 42; // RACE
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&ready, 1, memory_order_relaxed);
	return arg;
}

static void *
consumer(void *arg)
{
	while (!atomic_load_explicit(&ready, memory_order_relaxed))
		;
	return (void *)(long)data;
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
