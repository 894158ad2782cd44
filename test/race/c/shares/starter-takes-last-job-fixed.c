/* Whoever starts the workers does the last job itself: the numbers in the jobs, which it has
 * written in a loop before, say that no two cells are one. */
#include <pthread.h>

enum { JOBS = 4, LAST = JOBS - 1 };

struct job {
	void *unused;
	int number;
	int half;
};

static int sums[JOBS], halves[2 * JOBS];

static void *
work(void *arg)
{
	struct job *j = arg;

	sums[j->number] += 1;        // NORACE
	halves[2 * j->number] += 2;  // NORACE
	halves[2 * j->half + 1] = 3; // NORACE
	return NULL;
}

int
main(void)
{
	struct job job[JOBS];
	pthread_t t[LAST];

	for (int i = 0; i < LAST; i++) {
		job[i].number = i;
		job[i].half = i;
	}
	for (int i = 0; i < LAST; i++)
		pthread_create(&t[i], NULL, work, &job[i]);
	job[LAST].number = LAST;
	job[LAST].half = LAST;
	work(&job[LAST]);
	for (int i = 0; i < LAST; i++)
		pthread_join(t[i], NULL);
	return sums[0];
}
