/* A function that may start a thread is called in more states than are told apart, and once all others but one were joined. */
// FLAGS: --contexts none
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total, chatty;

static void *
logger(void *arg)
{
	return arg;
}

static void *
w(void *arg)
{
	pthread_mutex_lock(&m);
	total++; // RACE
	pthread_mutex_unlock(&m);
	return arg;
}

/* May start a thread, so who runs behind it depends on who calls it. */
static void
note(int level)
{
	pthread_t h;

	if (level > chatty)
		pthread_create(&h, NULL, logger, NULL);
}

int
main(int argc, char **argv)
{
	pthread_t a, b, c, d, e, f, g, h, i, j;

	(void)argv;
	note(argc);
	pthread_create(&a, NULL, w, NULL);
	note(argc);
	pthread_create(&b, NULL, w, NULL);
	note(argc);
	pthread_create(&c, NULL, w, NULL);
	note(argc);
	pthread_create(&d, NULL, w, NULL);
	note(argc);
	pthread_create(&e, NULL, w, NULL);
	note(argc);
	pthread_create(&f, NULL, w, NULL);
	note(argc);
	pthread_create(&g, NULL, w, NULL);
	note(argc);
	pthread_create(&h, NULL, w, NULL);
	note(argc);
	pthread_create(&i, NULL, w, NULL);
	note(argc);
	pthread_create(&j, NULL, w, NULL);
	note(argc);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	pthread_join(d, NULL);
	pthread_join(e, NULL);
	pthread_join(f, NULL);
	pthread_join(g, NULL);
	pthread_join(h, NULL);
	pthread_join(i, NULL);
	note(argc);
	total++; // RACE
	return 0;
}
