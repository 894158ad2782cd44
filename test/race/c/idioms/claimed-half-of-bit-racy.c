/* The number of the bit that is found and cleared is halved: two callers come to one line. */
#include <pthread.h>

#define LINES 12

static pthread_mutex_t board = PTHREAD_MUTEX_INITIALIZER;
static unsigned idle = (1u << LINES) - 1;
static struct {
	long calls;
	int last;
} line[LINES];

static int
pick_up(void)
{
	int n = -1;

	pthread_mutex_lock(&board);
	n = (__builtin_ffs((int)idle) - 1) / 2;
	if (n >= 0)
		idle &= ~(1u << n);
	pthread_mutex_unlock(&board);
	return n;
}

static void
hang_up(int n)
{
	pthread_mutex_lock(&board);
	idle |= 1u << n;
	pthread_mutex_unlock(&board);
}

static void *
caller(void *arg)
{
	for (int k = 0; k < 40; k++) {
		int n = pick_up();
		if (n < 0)
			continue;
		line[n].calls++; // RACE
		line[n].last = k; // RACE
		hang_up(n);
	}
	return arg;
}

int
main(void)
{
	pthread_t t[5];

	for (int i = 0; i < 5; i++)
		pthread_create(&t[i], NULL, caller, NULL);
	for (int i = 0; i < 5; i++)
		pthread_join(t[i], NULL);
	return line[0].calls < 0; // NORACE
}
