/* The lock is let go between the loop that looks for a free seat and the store that takes it. */
#include <pthread.h>

#define SEATS 6

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static int taken[SEATS];
static long visits[SEATS];

static int
sit_down(void)
{
	int i;

	pthread_mutex_lock(&door);
	i = 0;
	while (i < SEATS && taken[i])
		i++;
	pthread_mutex_unlock(&door);
	pthread_mutex_lock(&door);
	if (i < SEATS)
		taken[i] = 1;
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
	pthread_t t[4];
	long sum = 0;

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, guest, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < SEATS; i++)
		sum += visits[i]; // NORACE
	return sum < 0;
}
