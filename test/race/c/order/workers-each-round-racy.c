/* Round after round, as many workers as the options say are started; but the first one is not waited
 * for, and works into the next round. */
#include <pthread.h>
#include <stdlib.h>

extern int input(void);

struct options {
	int jobs;
};

static struct options options;
static pthread_t threads[64];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int round_number, sum;

static void *
work(void *arg)
{
	pthread_mutex_lock(&lock);
	sum += round_number; // RACE
	pthread_mutex_unlock(&lock);
	return arg;
}

int
main(int argc, char **argv)
{
	options.jobs = argc > 1 ? atoi(argv[1]) : 4;
	while (input() > 0) {
		round_number++; // RACE
		for (int i = 0; i < options.jobs; i++)
			pthread_create(&threads[i], NULL, work, NULL);
		for (int i = 1; i < options.jobs; i++)
			pthread_join(threads[i], NULL);
		if (sum > 100) // RACE
			sum = 0; // RACE
	}
	return sum;
}
