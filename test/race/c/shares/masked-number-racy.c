/* Threads choose their slot by a mask or a remainder of their number, but two of them come to one slot:
 * there are more threads than slots, the mask has a gap, or the number has been shifted beyond it. */
#include <pthread.h>

#define SLOTS 8
#define THREADS 8

static long few[SLOTS], gap[SLOTS], beyond[SLOTS], odd[SLOTS], twice[SLOTS];

static void *count(void *arg)
{
	unsigned cpu = (unsigned)(unsigned long)arg;

	for (int i = 0; i < 100; i++) {
		few[cpu & (SLOTS / 2 - 1)]++;     // RACE
		gap[cpu & 5]++;                   // RACE
		beyond[cpu & (SLOTS - 1)]++;      // RACE
		beyond[(cpu + 1) & (SLOTS - 1)]++; // RACE
		odd[cpu % 7]++;                   // RACE
		twice[(cpu * 2) & (SLOTS - 1)]++; // RACE
	}
	return 0;
}

int main(void)
{
	pthread_t t[THREADS];
	long sum = 0;

	for (unsigned long i = 0; i < THREADS; i++)
		pthread_create(&t[i], 0, count, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], 0);
	for (int i = 0; i < SLOTS; i++)
		sum += few[i] + gap[i] + beyond[i] + odd[i] + twice[i];
	return sum == 0;
}
