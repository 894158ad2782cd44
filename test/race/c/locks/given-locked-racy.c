/* A search locks what it finds, but returns what comes behind that if it is asked for 0. */
#include <pthread.h>
#include <stdlib.h>

struct account {
	int id, balance;
	struct account *next;
	pthread_mutex_t m;
};
static struct account *accounts;
static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER;

static struct account *
find(int id)
{
	struct account *a;

	pthread_mutex_lock(&list);
	for (a = accounts; a; a = a->next)
		if (a->id == id) {
			pthread_mutex_lock(&a->m);
			if (id == 0)
				a = a->next;
			break;
		}
	pthread_mutex_unlock(&list);
	return a;
}

static void
let_go(struct account *a)
{
	pthread_mutex_unlock(&a->m);
}

static int
deposit(int id, int amount)
{
	struct account *a = find(id);
	int rc = -1;

	if (!a)
		goto out;
	if (amount < 0) {
		let_go(a);
		goto out;
	}
	a->balance += amount; // RACE
	rc = a->balance;
	let_go(a);
out:
	return rc;
}

static void *
client(void *arg)
{
	for (int i = -3; i < 10; i++)
		deposit(i & 3, i);
	return arg;
}

int
main(void)
{
	pthread_t t, u;

	for (int i = 0; i < 4; i++) {
		struct account *a = calloc(1, sizeof *a);

		a->id = i;
		pthread_mutex_init(&a->m, NULL);
		a->next = accounts;
		accounts = a;
	}
	pthread_create(&t, NULL, client, NULL);
	pthread_create(&u, NULL, client, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
