/* Two buffers go from a producer to its writer, which waits for the first only: it never
 * says that one is empty again, and the producer fills both meanwhile. */
#include <pthread.h>
#include <stdio.h>

#define END 16

struct copy {
	pthread_mutex_t lock;
	pthread_cond_t turn;
	int full;
	int length[2];
};

static void *
writer(void *arg)
{
	struct copy *c = arg;
	int now = 0;

	pthread_mutex_lock(&c->lock);
	for (;;) {
		while (!c->full)
			pthread_cond_wait(&c->turn, &c->lock);
		if (c->full == END)
			break;
		if (c->length[now] > 3) // RACE
			puts("long");
		c->length[now] = 0; // RACE
		now ^= 1;
	}
	pthread_mutex_unlock(&c->lock);
	return arg;
}

static void
hand_over(struct copy *c, int by)
{
	pthread_mutex_lock(&c->lock);
	c->full += by;
	pthread_cond_signal(&c->turn);
	pthread_mutex_unlock(&c->lock);
}

static void
produce(struct copy *c, int n)
{
	c->length[n & 1] = n; // RACE
	hand_over(c, 1);
}

int
main(int argc, char **argv)
{
	struct copy c = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, {0, 0}};
	pthread_t t;

	(void)argv;
	pthread_create(&t, NULL, writer, &c);
	for (int n = 0; n < argc; n++)
		produce(&c, n);
	hand_over(&c, END);
	pthread_join(t, NULL);
	return 0;
}
