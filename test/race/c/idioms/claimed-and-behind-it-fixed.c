/* What an element points to goes with it: each element was given an object of its own. */
#include <pthread.h>
#include <stdlib.h>

#define ROOMS 4

struct guest {
	long nights;
};

static pthread_mutex_t desk = PTHREAD_MUTEX_INITIALIZER;
static char occupied[ROOMS];
static struct guest *room[ROOMS];

static int
check_in(int *number)
{
	int got = 0;

	pthread_mutex_lock(&desk);
	for (int i = 0; i < ROOMS && !got; i++)
		if (!occupied[i]) {
			occupied[i] = 1;
			*number = i;
			got = 1;
		}
	pthread_mutex_unlock(&desk);
	return got;
}

static void *
stay(void *arg)
{
	for (int k = 0; k < 30; k++) {
		int i;
		if (!check_in(&i))
			continue;
		room[i]->nights++; // NORACE-LIKELY
		pthread_mutex_lock(&desk);
		occupied[i] = 0;
		pthread_mutex_unlock(&desk);
	}
	return arg;
}

int
main(void)
{
	pthread_t t[3];

	for (int i = 0; i < ROOMS; i++) {
		room[i] = calloc(1, sizeof *room[i]);
		if (!room[i])
			abort();
	}
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, stay, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
