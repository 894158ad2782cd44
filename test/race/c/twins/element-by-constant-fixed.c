/* Accounts, each with a lock of its own: one thread is told which, main uses the third. */
#include <pthread.h>

enum { ACCOUNTS = 8 };

static struct account {
	long sum;
	pthread_mutex_t lock;
} accounts[ACCOUNTS];

static void *
pay(void *arg)
{
	long k = (long)arg % ACCOUNTS;

	pthread_mutex_lock(&accounts[k].lock);
	accounts[k].sum++; // NORACE
	pthread_mutex_unlock(&accounts[k].lock);
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t a, b;

	(void)argv;
	for (int i = 0; i < ACCOUNTS; i++)
		pthread_mutex_init(&accounts[i].lock, NULL);
	pthread_create(&a, NULL, pay, (void *)(long)argc);
	pthread_create(&b, NULL, pay, (void *)2);
	pthread_mutex_lock(&accounts[2].lock);
	accounts[2].sum--; // NORACE
	pthread_mutex_unlock(&accounts[2].lock);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
