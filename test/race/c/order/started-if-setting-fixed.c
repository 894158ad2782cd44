/* A thread that is started only if a setting says so, and joined if the same setting does: a variable that nobody
 * writes in between, or the member of an object. */
#include <pthread.h>
#include <stdlib.h>

struct options { int verbose, background; };

static int background;
static struct options *options;
static long done, more;

static void *job(void *arg)
{
	for (int i = 0; i < 1000; i++)
		*(long *)arg += i; // NORACE
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t, u;

	background = argc > 1 && argv[1][0] == '-';
	options = calloc(1, sizeof *options);
	options->background = argc > 2;
	if (background) {
		if (pthread_create(&t, 0, job, &done))
			return 1;
	} else {
		job(&done);
	}
	if (options->background && pthread_create(&u, 0, job, &more))
		return 1;
	if (background)
		pthread_join(t, 0);
	done++; // NORACE
	if (options->background)
		pthread_join(u, 0);
	more++; // NORACE
	return (int)done;
}
