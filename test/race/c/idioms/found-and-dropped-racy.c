/* What is found is freed, and stays in the list. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	char key[16];
	int value;
	struct entry *next;
};
static struct entry *entries;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static int
get(const char *key)
{
	int value = 0;

	pthread_rwlock_rdlock(&lock);
	for (struct entry *e = entries; e; e = e->next)
		if (!strcmp(e->key, key))
			value = e->value;
	pthread_rwlock_unlock(&lock);
	return value;
}

static void
add(const char *key)
{
	struct entry *e = calloc(1, sizeof *e);

	strncpy(e->key, key, sizeof e->key - 1);
	pthread_rwlock_wrlock(&lock);
	e->next = entries;
	entries = e;
	pthread_rwlock_unlock(&lock);
}

static void
drop(const char *key)
{
	struct entry *found = NULL;

	pthread_rwlock_wrlock(&lock);
	for (struct entry **p = &entries; *p; p = &(*p)->next)
		if (!strcmp((*p)->key, key)) {
			found = *p;
			break;
		}
	pthread_rwlock_unlock(&lock);
	free(found); // RACE
}

static void *
worker(void *arg)
{
	for (int i = 0; i < 20; i++) {
		add("a");
		get("a");
		drop("a");
	}
	return arg;
}

int
main(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
