/* Two kinds of clerks take keys, each under a lock of its own. */
#include <pthread.h>

#define DESKS 5

static pthread_mutex_t keys = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t others = PTHREAD_MUTEX_INITIALIZER;
static int hook[DESKS], hooks;
static long papers[DESKS];

static int
take_key(pthread_mutex_t *m)
{
	int desk = -1;

	pthread_mutex_lock(m);
	if (hooks)
		desk = hook[--hooks]; // RACE
	pthread_mutex_unlock(m);
	return desk;
}

static void
return_key(int desk, pthread_mutex_t *m)
{
	pthread_mutex_lock(m);
	hook[hooks++] = desk; // RACE
	pthread_mutex_unlock(m);
}

static void *
clerk(void *arg)
{
	for (int k = 0; k < 30; k++) {
		int desk = take_key(arg);
		if (desk < 0)
			continue;
		papers[desk] += k; // RACE
		return_key(desk, arg);
	}
	return NULL;
}

int
main(void)
{
	pthread_t t[4];

	for (int i = 0; i < DESKS; i++)
		hook[hooks++] = i;
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, clerk, i % 2 ? &keys : &others);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return papers[0] < 0; // NORACE
}
