/* bank.c - transfers between accounts, and a teller who forgets the lock. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct account {
	pthread_mutex_t lock;
	long balance;
	long transfers;
};

static struct account *savings;

static void
deposit(struct account *a, long amount)
{
	pthread_mutex_lock(&a->lock);
	a->balance += amount;
	pthread_mutex_unlock(&a->lock);
}

static void
audit(struct account *a)
{
	if (a->balance < 0)
		printf("overdrawn: %ld\n", a->balance);
}

static void *
teller(void *arg)
{
	struct account *a = arg;

	for (int i = 0; i < 1000; i++)
		deposit(a, 1);
	return NULL;
}

static void *
auditor(void *arg)
{
	audit(arg);
	return NULL;
}

int
main(void)
{
	pthread_t t[2];

	savings = malloc(sizeof *savings);
	if (!savings)
		return 1;
	pthread_mutex_init(&savings->lock, NULL);
	savings->balance = 100;
	pthread_create(&t[0], NULL, teller, savings);
	pthread_create(&t[1], NULL, auditor, savings);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	printf("%ld\n", savings->balance);
	free(savings);
	return 0;
}
