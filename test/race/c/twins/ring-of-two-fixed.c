/* A ring with one writer and one reader: each moves its own end when it is done. */
#include <pthread.h>
#include <stdatomic.h>

enum { ROOM = 8, ALL = 100 };

static int ring[ROOM];
static atomic_uint head, tail;

static int
put(int v)
{
	unsigned h = atomic_load_explicit(&head, memory_order_relaxed);

	if (h - atomic_load_explicit(&tail, memory_order_acquire) == ROOM)
		return 0;
	ring[h % ROOM] = v; // NORACE-LIKELY
	atomic_store_explicit(&head, h + 1, memory_order_release);
	return 1;
}

static int
get(int *v)
{
	unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);

	if (t == atomic_load_explicit(&head, memory_order_acquire))
		return 0;
	*v = ring[t % ROOM]; // NORACE-LIKELY
	atomic_store_explicit(&tail, t + 1, memory_order_release);
	return 1;
}

static void *
write_all(void *arg)
{
	for (int k = 0; k < ALL;)
		k += put(k);
	return arg;
}

static void *
read_all(void *arg)
{
	int v;

	for (int k = 0; k < ALL;)
		k += get(&v);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, write_all, NULL);
	pthread_create(&b, NULL, read_all, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
