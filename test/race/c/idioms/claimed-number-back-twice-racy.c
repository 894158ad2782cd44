/* Some bring back the key of their desk twice, so that two get it. */
#include <pthread.h>

#define DESKS 5

static pthread_mutex_t keys = PTHREAD_MUTEX_INITIALIZER;
static int hook[DESKS * 40], hooks;
static long papers[DESKS];

static int
take_key(void)
{
	int desk = -1;

	pthread_mutex_lock(&keys);
	if (hooks)
		desk = hook[--hooks];
	pthread_mutex_unlock(&keys);
	return desk;
}

static void
return_key(int desk)
{
	pthread_mutex_lock(&keys);
	hook[hooks++] = desk;
	pthread_mutex_unlock(&keys);
}

static void *
clerk(void *arg)
{
	for (int k = 0; k < 30; k++) {
		int desk = take_key();
		if (desk < 0)
			continue;
		papers[desk] += k; // RACE
		return_key(desk);
		if (k == 7)
			return_key(desk);
	}
	return arg;
}

int
main(void)
{
	pthread_t t[4];

	for (int i = 0; i < DESKS; i++)
		hook[hooks++] = i;
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, clerk, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return papers[0] < 0; // NORACE
}
