/* Two threads are started one after the other, the first if the mode asks for it, and the one handle is
 * joined: that is the second's. */
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
	if (mode)
		start_reader();
	if (pthread_create(&id, NULL, writer, NULL))
		abort();
}

int main(int argc, char **argv)
{
	(void)argv;
	data = calloc(10, sizeof *data);
	extra = calloc(1, sizeof *extra);
	start(argc > 1);
	pthread_join(id, NULL);
	total++; // RACE
	free(data); // RACE
	return total;
}
