/* A pipeline of three stages over one slot each, full/empty semaphores between. */
#include <pthread.h>
#include <semaphore.h>

static sem_t full1, empty1, full2, empty2;
static int slot1, slot2, sum;

static void *
stage1(void *a)
{
	for (int i = 0; i < 8; i++) {
		sem_wait(&empty1);
		slot1 = i; // NORACE
		sem_post(&full1);
	}
	return a;
}

static void *
stage2(void *a)
{
	for (int i = 0; i < 8; i++) {
		int v;
		sem_wait(&full1);
		v = slot1; // NORACE
		sem_post(&empty1);
		sem_wait(&empty2);
		slot2 = v * 2; // NORACE
		sem_post(&full2);
	}
	return a;
}

int
main(void)
{
	pthread_t a, b;
	sem_init(&full1, 0, 0);
	sem_init(&empty1, 0, 1);
	sem_init(&full2, 0, 0);
	sem_init(&empty2, 0, 1);
	pthread_create(&a, NULL, stage1, NULL);
	pthread_create(&b, NULL, stage2, NULL);
	for (int i = 0; i < 8; i++) {
		sem_wait(&full2);
		sum += slot2; // NORACE
		sem_post(&empty2);
	}
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return sum;
}
