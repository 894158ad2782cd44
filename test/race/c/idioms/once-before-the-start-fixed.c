/* A decoder is made, and its thread started, behind what is set up once for all of them. */
#include <pthread.h>
#include <stdlib.h>
static int table[16];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void set_up(void)
{
	for (int i = 0; i < 16; i++)
		table[i] = i; // NORACE-LIKELY
}
struct decoder { pthread_t thread; };
static struct decoder *made;
static void *work(void *arg)
{
	return table[3] ? arg : NULL; // NORACE-LIKELY
}
static struct decoder *make(void)
{
	struct decoder *d = calloc(1, sizeof *d);
	if (!d)
		return NULL;
	pthread_once(&once, set_up);
	pthread_create(&d->thread, NULL, work, d);
	return d;
}
static void use(int i)
{
	if (!made || i > 3)
		made = make();
}
int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < argc; i++)
		use(i);
	if (made)
		pthread_join(made->thread, NULL);
	return 0;
}
