/* The first stage does not wait until its slot is empty. */
#include <pthread.h>
#include <semaphore.h>

static sem_t full1;
static int slot1, sum;

static void *
stage1(void *a)
{
	for (int i = 0; i < 8; i++) {
		slot1 = i; // RACE
		sem_post(&full1);
	}
	return a;
}

int
main(void)
{
	pthread_t a;
	sem_init(&full1, 0, 0);
	pthread_create(&a, NULL, stage1, NULL);
	for (int i = 0; i < 8; i++) {
		sem_wait(&full1);
		sum += slot1; // RACE
	}
	pthread_join(a, NULL);
	return sum;
}
