/* A spin lock whose word is volatile, and says who holds it: tried once, and again after a pause, so that its
 * function is left in two places; given back by a store. */
#include <pthread.h>

static volatile int word;
static int total;

static void
take(volatile int *w, int owner)
{
	for (;;) {
		if (*w == 0 && __sync_bool_compare_and_swap(w, 0, owner))
			return;
		for (int n = 1; n < 64; n <<= 1) {
			for (int i = 0; i < n; i++)
				__asm__("pause");
			if (*w == 0 && __sync_bool_compare_and_swap(w, 0, owner))
				return;
		}
	}
}

static void *
work(void *arg)
{
	take(&word, *(int *)arg);
	total++; // NORACE-LIKELY
	__sync_synchronize();
	word = 0;
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t a, b;
	int one = argc, two = argc + 1;

	(void)argv;
	pthread_create(&a, NULL, work, &one);
	pthread_create(&b, NULL, work, &two);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return total;
}
