/* Threads choose their slot by a mask or a remainder of their number, which leaves it as it is. */
#include <pthread.h>

#define SLOTS 8

static long hits[SLOTS], rest[SLOTS];

static long *slot(unsigned cpu)
{
	return &hits[cpu & (SLOTS - 1)];
}

static void *count(void *arg)
{
	unsigned cpu = (unsigned)(unsigned long)arg;

	for (int i = 0; i < 100; i++) {
		++*slot(cpu); // NORACE
		rest[cpu % SLOTS] += i; // NORACE
	}
	return 0;
}

int main(void)
{
	pthread_t t[SLOTS];
	long sum = 0;

	for (unsigned long i = 0; i < SLOTS; i++)
		pthread_create(&t[i], 0, count, (void *)i);
	for (int i = 0; i < SLOTS; i++)
		pthread_join(t[i], 0);
	for (int i = 0; i < SLOTS; i++)
		sum += hits[i] + rest[i]; // NORACE
	return sum == 0;
}
