/* Functions that a linker set collects are called by both threads. */
#include <pthread.h>

typedef void (*hook)(void);
static int count;

static void
bump(void)
{
	count++; // RACE
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
