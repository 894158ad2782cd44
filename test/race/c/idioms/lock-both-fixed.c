/* A function locks both of two, the lower address first. */
#include <pthread.h>
#include <stdlib.h>

struct account {
	int id;
	long balance;
	pthread_mutex_t lock;
};
static struct account all[10];

static void
lock_both(pthread_mutex_t *a, pthread_mutex_t *b)
{
	if (a > b) {
		pthread_mutex_t *c = a;
		a = b;
		b = c;
	}
	pthread_mutex_lock(a);
	pthread_mutex_lock(b);
}

static void
move(struct account *x, struct account *y, long n)
{
	if (x == y)
		return;
	lock_both(&x->lock, &y->lock);
	x->balance -= n; // NORACE-LIKELY
	y->balance += n;
	pthread_mutex_unlock(&x->lock);
	pthread_mutex_unlock(&y->lock);
}

static void *
worker(void *arg)
{
	unsigned seed = (unsigned)(long)arg;

	for (int i = 0; i < 100; i++)
		move(&all[rand_r(&seed) % 10], &all[rand_r(&seed) % 10], 5);
	return NULL;
}

int
main(void)
{
	pthread_t t[4];

	for (int i = 0; i < 10; i++) {
		all[i].id = i;
		pthread_mutex_init(&all[i].lock, NULL);
	}
	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return (int)all[0].balance;
}
