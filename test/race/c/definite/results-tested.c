/* Every call on the way is tested, and all of them may succeed: memory is there, locks can be had,
 * the sleep ends.  Nine threads are too many to try all schedules. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define N 9

struct totals {
	pthread_mutex_t lock;
	int sum, seen;
};

static struct totals *totals;

static void *
work(void *arg)
{
	struct totals *t = arg;
	int r = pthread_mutex_lock(&t->lock);

	assert(!r);
	t->sum++; // NORACE
	r = pthread_mutex_unlock(&t->lock);
	assert(!r);
	t->seen++; // RACE definite
	return NULL;
}

int
main(void)
{
	const struct timespec while_ = {0, 1000};
	pthread_t thread[N];
	pthread_attr_t attr;
	char text[24];

	totals = malloc(sizeof *totals);
	if (!totals) {
		perror("malloc");
		exit(1);
	}
	totals->sum = totals->seen = 0;
	if (pthread_mutex_init(&totals->lock, NULL) || pthread_attr_init(&attr)) {
		fprintf(stderr, "cannot begin\n");
		return 1;
	}
	for (int i = 0; i < N; i++) {
		if (pthread_create(&thread[i], &attr, work, totals)) {
			fprintf(stderr, "no thread\n");
			exit(1);
		}
		nanosleep(&while_, NULL);
	}
	snprintf(text, sizeof text, "%d threads", N);
	puts("started");
	for (int i = 0; i < N; i++)
		if (pthread_join(thread[i], NULL))
			exit(1);
	printf("%d\n", totals->sum); // NORACE
	return 0;
}
