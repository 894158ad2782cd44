/* Workers work only while main waits for them, but main changes the round before it
 * has found all of them done. */
#include <pthread.h>
#include <stdatomic.h>

#define N 4

static struct {
	_Atomic unsigned long value;
} pending[N];
static int op, round_no, result[N];

static unsigned long
get_pending(int i)
{
	return atomic_load(&pending[i].value);
}

static void
set_pending(int i, unsigned long count)
{
	atomic_store(&pending[i].value, count);
}

static void
work(int id)
{
	result[id] += op; // NORACE-LIKELY
	result[id] += round_no; // RACE
}

static void *
worker(void *arg)
{
	int id = (int)(long)arg;

	for (;;) {
		if (get_pending(id) == 0)
			continue;
		work(id);
		set_pending(id, 0);
	}
	return 0;
}

static void
distribute(int kind, int n)
{
	op = kind; // NORACE-LIKELY
	for (int i = 1; i < n; i++)
		set_pending(i, (unsigned long)kind);
	result[0]++;
	round_no++; // RACE
	for (;;) {
		unsigned long left = 0;

		for (int i = 1; i < n; i++)
			left += get_pending(i);
		if (left == 0)
			break;
	}
	op = 0; // NORACE-LIKELY
}

int
main(int argc, char **argv)
{
	pthread_t t[N];

	for (int i = 1; i < N; i++)
		pthread_create(&t[i], 0, worker, (void *)(long)i);
	for (int k = 1; k < 100; k++) {
		distribute(argc, N);
	}
	(void)argv;
	return 0;
}
