/* Two buffers go to and fro between a producer and its writer: a count says how many are
 * full, and each side waits for the other's answer in every round. */
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
		if (c->length[now] > 3) // NORACE-LIKELY
			puts("long");
		c->length[now] = 0; // NORACE-LIKELY
		now ^= 1;
		c->full--;
		pthread_cond_signal(&c->turn);
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
	while (c->full & 2)
		pthread_cond_wait(&c->turn, &c->lock);
	pthread_mutex_unlock(&c->lock);
}

static void
produce(struct copy *c, int n)
{
	c->length[n & 1] = n; // NORACE-LIKELY
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
