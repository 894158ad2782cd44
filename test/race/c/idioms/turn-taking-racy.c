/* The turn is passed on before it is used. */
#include <pthread.h>

static int turn, shared;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *
player(void *arg)
{
	int me = (int)(long)arg;

	for (int i = 0; i < 10; i++) {
		pthread_mutex_lock(&m);
		while (turn != me)
			pthread_cond_wait(&changed, &m);
		turn = !turn;
		pthread_mutex_unlock(&m);
		shared += me; // RACE
		pthread_mutex_lock(&m);
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&m);
	}
	return NULL;
}

int
main(void)
{
	pthread_t t[2];

	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, player, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return shared;
}
