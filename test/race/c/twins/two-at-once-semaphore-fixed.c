/* A semaphore that lets two in, and a lock around what they share. */
#include <pthread.h>
#include <semaphore.h>

static sem_t room;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int served;

static void *
visit(void *arg)
{
	for (int i = 0; i < 10; i++) {
		sem_wait(&room);
		pthread_mutex_lock(&m);
		served++; // NORACE
		pthread_mutex_unlock(&m);
		sem_post(&room);
	}
	return arg;
}
int
main(void)
{
	pthread_t t[3];

	sem_init(&room, 0, 2);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, visit, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return served;
}
