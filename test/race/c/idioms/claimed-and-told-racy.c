/* Nobody asks whether an element was found: the one of the round before is used again. */
#include <pthread.h>

#define ROOMS 2

static pthread_mutex_t desk = PTHREAD_MUTEX_INITIALIZER;
static char occupied[ROOMS];
static long visits[ROOMS];

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
	int i = 0;

	for (int k = 0; k < 30; k++) {
		check_in(&i);
		visits[i]++; // RACE
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

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, stay, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
