/* Two threads get the two halves of an array as constants. */
#include <pthread.h>

struct half {
	int from, to;
};
static int data[64];
static void *
work(void *arg)
{
	struct half *h = arg;
	for (int i = h->from; i < h->to; i++)
		data[i]++; // NORACE
	return NULL;
}
int
main(void)
{
	pthread_t a, b;
	struct half low = {0, 32}, high = {32, 64};
	pthread_create(&a, NULL, work, &low);
	pthread_create(&b, NULL, work, &high);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
