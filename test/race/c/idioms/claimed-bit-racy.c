/* The line is given back before its last use. */
#include <pthread.h>

#define LINES 12

static pthread_mutex_t board = PTHREAD_MUTEX_INITIALIZER;
static unsigned busy;
static struct {
	long calls;
	int last;
} line[LINES];

static int
pick_up(void)
{
	int n = -1;

	pthread_mutex_lock(&board);
	for (int i = 0; i < LINES; i++)
		if ((busy & 1u << i) == 0) {
			busy |= 1u << i;
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
	busy &= ~(1u << n);
	pthread_mutex_unlock(&board);
}

static void *
caller(void *arg)
{
	for (int k = 0; k < 40; k++) {
		int n = pick_up();
		if (n < 0)
			continue;
		line[n].calls++; // RACE possible
		hang_up(n);
		line[n].last = k; // RACE
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
