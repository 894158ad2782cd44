/* Whoever starts the workers does a job itself whose number, or a part of it, is another's: it was
 * numbered from the end, it is numbered only if some input says so, it was numbered by a loop that may have ended early, or anew by a worker. */
#include <pthread.h>
#include <stdlib.h>

enum { JOBS = 4, LAST = JOBS - 1 };

struct job {
	int number;
	int maybe;
	int early;
	int anew;
	unsigned char low, high;
};

static int sums[JOBS], maybe[JOBS], early[JOBS], anew[JOBS], wide[1 << 16];

static void *
work(void *arg)
{
	struct job *j = arg;

	sums[j->number] += 1;  // RACE
	maybe[j->maybe] += 2;  // RACE
	early[j->early] += 3;  // RACE
	anew[j->anew] += 4;    // RACE
	wide[*(unsigned short *)&j->low] = 5; // RACE
	return NULL;
}

static void *
renumber(void *arg)
{
	struct job *j = arg;

	j->anew = 0;
	return NULL;
}

int
main(int argc, char **argv)
{
	static struct job job[JOBS];
	pthread_t t[JOBS];

	for (int i = 0; i < JOBS; i++) {
		if (argc > 9 && argv[i][0] == 'x')
			break;
		job[i].early = i;
	}
	for (int i = 0; i < JOBS; i++) {
		job[i].number = LAST - i;
		job[i].anew = i;
		job[i].low = (unsigned char)i;
		if (argc > 1)
			job[i].maybe = i;
	}
	pthread_create(&t[LAST], NULL, renumber, &job[LAST]);
	for (int i = 0; i < LAST; i++)
		pthread_create(&t[i], NULL, work, &job[i]);
	job[LAST].high = 0;
	job[LAST].number = 1;
	work(&job[LAST]);
	for (int i = 0; i < JOBS; i++)
		pthread_join(t[i], NULL);
	return sums[0];
}
