/* Somebody frees all seats now and then, under the lock, whoever sits there. */
#include <pthread.h>

#define SEATS 6

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static int taken[SEATS];
static long visits[SEATS];

static void *
sweep(void *arg)
{
	for (int round = 0; round < 50; round++) {
		pthread_mutex_lock(&door);
		for (int i = 0; i < SEATS; i++)
			if (taken[i])
				taken[i] = 0;
		pthread_mutex_unlock(&door);
	}
	return arg;
}

static int
sit_down(void)
{
	int i;

	pthread_mutex_lock(&door);
	for (i = 0; i < SEATS; i++)
		if (!taken[i]) {
			taken[i] = 1;
			break;
		}
	pthread_mutex_unlock(&door);
	return i;
}

static void
stand_up(int i)
{
	pthread_mutex_lock(&door);
	taken[i] = 0;
	pthread_mutex_unlock(&door);
}

static void *
guest(void *arg)
{
	for (int round = 0; round < 50; round++) {
		int i = sit_down();
		if (i == SEATS)
			continue;
		visits[i]++; // RACE
		stand_up(i);
	}
	return arg;
}

int
main(void)
{
	pthread_t t[4], sweeper;
	long sum = 0;

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, guest, NULL);
	pthread_create(&sweeper, NULL, sweep, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	pthread_join(sweeper, NULL);
	for (int i = 0; i < SEATS; i++)
		sum += visits[i]; // NORACE
	return sum < 0;
}
