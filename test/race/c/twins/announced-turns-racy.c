/* Peterson's algorithm, but the announcement is taken back too early. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int shared;

static void *
work(void *arg)
{
	int me = arg ? 1 : 0, other = 1 - me;

	wants[me] = 1;
	turn = other;
	while (wants[other] && turn == other)
		;
	wants[me] = 0;
	shared++; // RACE
	return NULL;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, &b);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
