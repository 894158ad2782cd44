/* Two bit-fields with an unnamed one of width zero between them are two places. */
#include <pthread.h>

struct bits {
	int low : 4;
	int : 0;
	int high : 4;
};
static struct bits bits;
static void *
sets_low(void *arg)
{
	bits.low = 1; // NORACE
	return arg;
}
static void *
sets_high(void *arg)
{
	bits.high = 1; // NORACE
	return arg;
}
int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, sets_low, NULL);
	pthread_create(&b, NULL, sets_high, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
