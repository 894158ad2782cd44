/* Threads that never return, or not before their children, are ended by others: what goes on behind the joins is beside
 * what they have started, and beside everybody else. */
#include <pthread.h>
#include <unistd.h>

static int beats, total, below, jobs;

static void *
beat(void *arg)
{
	for (;;) {
		beats++; // NORACE
		usleep(1000);
	}
	return arg;
}

static void *
add(void *arg)
{
	total++; // RACE
	return arg;
}

static void *
leaf(void *arg)
{
	below++; // RACE
	return arg;
}

static void *
branch(void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, leaf, NULL);
	pthread_join(t, NULL);
	return arg;
}

static void *
pool(void *arg)
{
	for (;;)
		pause();
	return arg;
}

static void *
job(void *arg)
{
	jobs++; // RACE
	return arg;
}

int
main(void)
{
	pthread_t a, b, c, d, many[4];

	pthread_create(&a, NULL, beat, NULL);
	pthread_create(&b, NULL, add, NULL);
	pthread_cancel(a);
	pthread_join(a, NULL);
	beats = 0; // NORACE
	total = 0; // RACE

	pthread_create(&c, NULL, branch, NULL);
	pthread_cancel(c);
	pthread_join(c, NULL);
	below = 0; // RACE

	pthread_create(&d, NULL, job, NULL);
	for (int i = 0; i < 4; i++)
		pthread_create(&many[i], NULL, pool, NULL);
	for (int i = 0; i < 4; i++)
		pthread_cancel(many[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(many[i], NULL);
	jobs = 0; // RACE
	return 0;
}
