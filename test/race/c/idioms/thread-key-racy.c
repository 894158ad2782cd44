/* All threads set one shared object under their key. */
#include <pthread.h>
#include <stdlib.h>

struct session {
	int requests;
};

static pthread_key_t key;
static struct session only;

static struct session *
session(void)
{
	struct session *s = pthread_getspecific(key);

	if (!s) {
		s = &only;
		pthread_setspecific(key, s);
	}
	return s;
}

static void *
serve(void *arg)
{
	session()->requests++; // RACE
	session()->requests++; // RACE
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_key_create(&key, NULL);
	pthread_create(&a, NULL, serve, NULL);
	pthread_create(&b, NULL, serve, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
