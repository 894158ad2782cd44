/* Functions of a linker set that lock. */
#include <pthread.h>

typedef void (*hook)(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void
bump(void)
{
	pthread_mutex_lock(&m);
	count++; // NORACE
	pthread_mutex_unlock(&m);
}
static hook entry __attribute__((section("hooks"), used)) = bump;
extern hook __start_hooks[], __stop_hooks[];

static void *
w(void *a)
{
	for (hook *h = __start_hooks; h < __stop_hooks; h++)
		(*h)();
	return a;
}

int
main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, w, NULL);
	w(NULL);
	pthread_join(t, NULL);
	return count; // NORACE
}
