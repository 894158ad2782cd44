/* The locks of two accounts are taken in the order of their numbers. */
#include <pthread.h>
#include <stdlib.h>

struct account {
	int id;
	long balance;
	pthread_mutex_t lock;
};
static struct account all[10];

static void
move(struct account *x, struct account *y, long n)
{
	struct account *first = x->id < y->id ? x : y;
	struct account *second = x->id < y->id ? y : x;

	if (x == y)
		return;
	pthread_mutex_lock(&first->lock);
	pthread_mutex_lock(&second->lock);
	x->balance -= n; // NORACE-LIKELY
	y->balance += n;
	pthread_mutex_unlock(&second->lock);
	pthread_mutex_unlock(&first->lock);
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
