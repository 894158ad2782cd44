/* The first reader takes the semaphore for all of them, and the writer does not. */
#include <pthread.h>
#include <semaphore.h>

sem_t wrt, mutex;
int readcount, shared;
void *
reader(void *a)
{
	sem_wait(&mutex);
	readcount++;
	if (readcount == 1)
		sem_wait(&wrt);
	sem_post(&mutex);
	int x = shared; // RACE
	sem_wait(&mutex);
	readcount--;
	if (readcount == 0)
		sem_post(&wrt);
	sem_post(&mutex);
	return (void *)(long)x;
}
void *
writer(void *a)
{
	shared++; // RACE
	return 0;
}
int
main(void)
{
	pthread_t r[2], w[2];
	sem_init(&wrt, 0, 1);
	sem_init(&mutex, 0, 1);
	for (int i = 0; i < 2; i++)
		pthread_create(&r[i], 0, reader, 0);
	for (int i = 0; i < 2; i++)
		pthread_create(&w[i], 0, writer, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(r[i], 0);
	for (int i = 0; i < 2; i++)
		pthread_join(w[i], 0);
	return 0;
}
