/* Each thread sets an object of its own under the key, and the key's destructor frees it. */
#include <pthread.h>
#include <stdlib.h>

struct session {
	int requests;
};

static pthread_key_t key;

static void
end_session(void *p)
{
	free(p); // NORACE
}

static struct session *
session(void)
{
	struct session *s = pthread_getspecific(key);

	if (!s) {
		s = calloc(1, sizeof *s);
		if (!s)
			abort();
		pthread_setspecific(key, s);
	}
	return s;
}

static void *
serve(void *arg)
{
	session()->requests++; // NORACE
	session()->requests++; // NORACE
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_key_create(&key, end_session);
	pthread_create(&a, NULL, serve, NULL);
	pthread_create(&b, NULL, serve, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
