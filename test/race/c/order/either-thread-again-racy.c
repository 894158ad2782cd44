/* One of two threads is started, whichever the mode asks for, and later the other one; the handle that
 * is joined is the later one's. */
#include <pthread.h>
#include <stdlib.h>

static pthread_t id;
static int *data, total, *extra;

static void *reader(void *p)
{
	total += data[0]; // RACE
	return p;
}

static void *writer(void *p)
{
	data[0] = 1; // RACE
	return p;
}

static void start_reader(void)
{
	if (pthread_create(&id, NULL, reader, NULL))
		abort();
}

static void start(int mode)
{
	if (mode) {
		start_reader();
	} else {
		if (pthread_create(&id, NULL, writer, NULL))
			abort();
	}
}

int main(int argc, char **argv)
{
	(void)argv;
	data = calloc(10, sizeof *data);
	extra = calloc(1, sizeof *extra);
	for (int i = 0; i < 2; i++)
		start((argc + i) & 1);
	pthread_join(id, NULL);
	total++; // RACE
	free(data); // RACE
	return total;
}
