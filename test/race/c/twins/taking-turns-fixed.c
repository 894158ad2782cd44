/* Two threads take turns by a number under the mutex, and work outside it. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn, total;
static void
await_turn(int mine)
{
	pthread_mutex_lock(&m);
	while (turn != mine)
		pthread_cond_wait(&changed, &m);
	pthread_mutex_unlock(&m);
}
static void
pass_turn(int next)
{
	pthread_mutex_lock(&m);
	turn = next;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&m);
}
static void *
even(void *arg)
{
	for (int i = 0; i < 4; i++) {
		await_turn(0);
		total++; // NORACE
		pass_turn(1);
	}
	return arg;
}
static void *
odd(void *arg)
{
	for (int i = 0; i < 4; i++) {
		await_turn(1);
		total++; // NORACE
		pass_turn(0);
	}
	return arg;
}
int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, even, NULL);
	pthread_create(&b, NULL, odd, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
