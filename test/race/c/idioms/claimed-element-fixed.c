/* A function finds an element that nobody has, marks it under a lock and returns a pointer to it, or NULL. */
#include <pthread.h>
#include <stddef.h>

#define TRUCKS 4

struct truck {
	int rented;
	long miles;
	char log[16];
};

static pthread_mutex_t yard = PTHREAD_MUTEX_INITIALIZER;
static struct truck fleet[TRUCKS];

static struct truck *
rent(void)
{
	pthread_mutex_lock(&yard);
	for (int i = 0; i < TRUCKS; i++) {
		struct truck *t = &fleet[i];
		if (!t->rented) {
			t->rented = 1;
			pthread_mutex_unlock(&yard);
			return t;
		}
	}
	pthread_mutex_unlock(&yard);
	return NULL;
}

static void
drive(struct truck *t, int far)
{
	t->miles += far; // NORACE-LIKELY
	t->log[far % 16] = 'x'; // NORACE-LIKELY
}

static void *
driver(void *arg)
{
	for (int k = 0; k < 20; k++) {
		struct truck *t = rent();
		if (!t)
			continue;
		drive(t, k);
		pthread_mutex_lock(&yard);
		t->rented = 0;
		pthread_mutex_unlock(&yard);
	}
	return arg;
}

int
main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, driver, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return fleet[0].miles < 0; // NORACE
}
