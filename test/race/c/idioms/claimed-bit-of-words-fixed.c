/* Who has a line is noted in the bits of several words, under a lock; the line is used without it. */
#include <pthread.h>

#define LINES 12

static pthread_mutex_t board = PTHREAD_MUTEX_INITIALIZER;
static unsigned busy[3];
static struct {
	long calls;
	int last;
} line[LINES];

static int
pick_up(void)
{
	int n = -1;

	pthread_mutex_lock(&board);
	for (int i = 0; i < LINES; i++) {
		if (busy[i / 4] >> (i % 4) & 1)
			continue;
		busy[i / 4] |= 1u << (i % 4);
		n = i;
		break;
	}
	pthread_mutex_unlock(&board);
	return n;
}

static void
hang_up(int n)
{
	pthread_mutex_lock(&board);
	busy[n / 4] &= ~(1u << (n % 4));
	pthread_mutex_unlock(&board);
}

static void *
caller(void *arg)
{
	for (int k = 0; k < 40; k++) {
		int n = pick_up();
		if (n < 0)
			continue;
		line[n].calls++; // NORACE-LIKELY
		line[n].last = k; // NORACE-LIKELY
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
