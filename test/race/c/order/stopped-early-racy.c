/* Creating stops behind the round's create: the last one is never joined, neither where the loop
 * is left early, nor where the last index is kept instead of the count. */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 6 };

static int sold, bought;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *
sell(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	sold++; // RACE
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *
buy(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	bought++; // RACE
	pthread_mutex_unlock(&lock);
	return NULL;
}

int
main(void)
{
	pthread_t t[MOST];
	int n, last, sum;

	for (n = 0; n < MOST; n++) {
		pthread_create(&t[n], NULL, sell, NULL);
		if (rand() % 2)
			break;
	}
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	sum = sold; // RACE

	n = 0;
	do {
		last = n;
		pthread_create(&t[n], NULL, buy, NULL);
		n++;
	} while (n < MOST);
	for (int i = 0; i < last; i++)
		pthread_join(t[i], NULL);
	return sum + bought; // RACE
}
