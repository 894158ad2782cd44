/* Of a line that somebody has the bit is asked in one word, and noted in the next one. */
#include <pthread.h>

#define LINES 12

static pthread_mutex_t board = PTHREAD_MUTEX_INITIALIZER;
static unsigned busy[3];
static unsigned held[3];
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
		held[i / 4] |= 1u << (i % 4);
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
