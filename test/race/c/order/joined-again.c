/* One variable for all handles: each join waits for the thread that came last, and so does each of an
 * element that the loop does not go through. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum, other;

static void *
add(void *arg)
{
	pthread_mutex_lock(&lock);
	sum++; // RACE
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *
count(void *arg)
{
	pthread_mutex_lock(&lock);
	other++; // RACE
	pthread_mutex_unlock(&lock);
	return arg;
}

int
main(void)
{
	pthread_t last, all[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&last, NULL, add, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(last, NULL);
	sum = 0; // RACE
	for (int i = 0; i < 3; i++)
		pthread_create(&all[i], NULL, count, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(all[1], NULL);
	other = 0; // RACE
	return 0;
}
