/* Who has got no element uses the first one. */
#include <pthread.h>

#define BOATS 2

enum state { ASHORE, AFLOAT, SUNK };

static pthread_mutex_t pier = PTHREAD_MUTEX_INITIALIZER;
static enum state state[BOATS];
static int crew[BOATS + 1];

static int
find_ashore(void)
{
	for (int i = BOATS - 1; i >= 0; i--)
		if (state[i] == ASHORE) {
			state[i] = AFLOAT;
			return i;
		}
	return -1;
}

static int
launch(void)
{
	int i;

	pthread_mutex_lock(&pier);
	i = find_ashore();
	pthread_mutex_unlock(&pier);
	return i;
}

static void
board(int i, int n)
{
	crew[i] = n; // RACE
}

static void *
captain(void *arg)
{
	for (int k = 0; k < 25; k++) {
		int i = launch();
		if (i < 0)
			i = 0;
		board(i, k);
		pthread_mutex_lock(&pier);
		state[i] = ASHORE;
		pthread_mutex_unlock(&pier);
	}
	return arg;
}

int
main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, captain, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return crew[0] < 0; // NORACE
}
