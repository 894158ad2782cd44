/* C11 threads: the mutex is left before the sum is stored. */
#include <threads.h>

static mtx_t lock;
static int sum;

static int
add(void *arg)
{
	int n = *(const int *)arg;

	mtx_lock(&lock);
	n += sum; // RACE
	mtx_unlock(&lock);
	sum = n; // RACE
	return 0;
}

int
main(void)
{
	static int one = 1, two = 2;
	thrd_t a, b;
	int r;

	if (mtx_init(&lock, mtx_plain) != thrd_success)
		return 1;
	if (thrd_create(&a, add, &one) != thrd_success)
		return 1;
	if (thrd_create(&b, add, &two) != thrd_success) {
		thrd_join(a, &r);
		return 1;
	}
	thrd_join(a, &r);
	thrd_join(b, NULL);
	mtx_destroy(&lock);
	return sum; // NORACE
}
