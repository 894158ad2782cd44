/* Each account has its lock, and each is changed under its own. */
#include <pthread.h>
#include <stdlib.h>

struct account {
	pthread_mutex_t lock;
	long balance;
};

static struct account *alice, *bob;

static struct account *
account_new(long balance)
{
	struct account *a = malloc(sizeof *a);

	if (!a)
		abort();
	pthread_mutex_init(&a->lock, NULL);
	a->balance = balance; // NORACE
	return a;
}

static void
transfer(struct account *from, struct account *to, long sum)
{
	pthread_mutex_lock(&from->lock);
	from->balance -= sum; // NORACE
	pthread_mutex_unlock(&from->lock);
	pthread_mutex_lock(&to->lock);
	to->balance += sum; // NORACE
	pthread_mutex_unlock(&to->lock);
}

static void *
forth(void *arg)
{
	transfer(alice, bob, 5);
	return arg;
}

static void *
back(void *arg)
{
	transfer(bob, alice, 3);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	alice = account_new(100);
	bob = account_new(50);
	pthread_create(&a, NULL, forth, NULL);
	pthread_create(&b, NULL, back, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
