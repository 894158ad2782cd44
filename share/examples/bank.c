/* bank.c - two tellers and an auditor.  Deposits hold the account's lock; the
 * auditor's sum does not. */
#include <pthread.h>
#include <stdio.h>

typedef struct Account {
	pthread_mutex_t mutex;
	long balance;
} Account;

static Account account = {PTHREAD_MUTEX_INITIALIZER, 0};
static long audited;

static void
deposit(Account *a, long amount)
{
	pthread_mutex_lock(&a->mutex);
	a->balance += amount;
	pthread_mutex_unlock(&a->mutex);
}

static void *
teller(void *arg)
{
	long amount = (long)arg;

	for (int i = 0; i < 1000; i++)
		deposit(&account, amount);
	return NULL;
}

static void *
auditor(void *arg)
{
	(void)arg;
	audited = account.balance;
	return NULL;
}

int
main(void)
{
	pthread_t first, second, third;

	pthread_create(&first, NULL, teller, (void *)1);
	pthread_create(&second, NULL, teller, (void *)2);
	pthread_create(&third, NULL, auditor, NULL);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	pthread_join(third, NULL);
	printf("%ld, audited at %ld\n", account.balance, audited);
	return 0;
}
