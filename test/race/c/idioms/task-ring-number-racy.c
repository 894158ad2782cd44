/* Workers take numbers from a ring under its lock, but the same number is put there
 * again and again. */
#include <pthread.h>

#define CAP 8
#define N 100

static int ring[CAP], head, tail, count, closed;
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int out[N];

static void
put(int v)
{
	pthread_mutex_lock(&mu);
	while (count == CAP)
		pthread_cond_wait(&changed, &mu);
	ring[tail] = v; // NORACE
	tail = (tail + 1) % CAP;
	count++;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mu);
}

static int
get(int *v)
{
	pthread_mutex_lock(&mu);
	while (count == 0 && !closed)
		pthread_cond_wait(&changed, &mu);
	if (count == 0) {
		pthread_mutex_unlock(&mu);
		return 0;
	}
	*v = ring[head];
	head = (head + 1) % CAP;
	count--;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mu);
	return 1;
}

static void *
work(void *arg)
{
	int v;

	while (get(&v))
		out[v] = v * v; // RACE
	return NULL;
}

int
main(void)
{
	pthread_t t[3];
	long sum = 0;

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < N; i++)
		put(i % 10);
	pthread_mutex_lock(&mu);
	closed = 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mu);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < N; i++)
		sum += out[i]; // NORACE
	return sum != 328350;
}
