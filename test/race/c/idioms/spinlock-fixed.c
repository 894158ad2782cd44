/* A spin lock covers the whole update. */
#include <pthread.h>

static pthread_spinlock_t spin;
static struct {
	int packets;
	long bytes;
} rx;

static void *
receive(void *arg)
{
	pthread_spin_lock(&spin);
	rx.packets++; // NORACE
	rx.bytes += 1500; // NORACE
	pthread_spin_unlock(&spin);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	pthread_create(&a, NULL, receive, NULL);
	pthread_create(&b, NULL, receive, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_spin_destroy(&spin);
	return rx.packets;
}
