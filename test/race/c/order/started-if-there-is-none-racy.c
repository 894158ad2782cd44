/* A sniffer is started when it is first needed: where it was started, memory for its handle was
 * made.  But a new one each time, as the handle is not kept. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int packets;

static void *
sniff(void *arg)
{
	char c;

	while (read(*(int *)arg, &c, 1) == 1)
		packets++; // RACE
	return NULL;
}

static void
next(int *fd)
{
	pthread_t *sniffer = NULL;

	if (!sniffer) {
		sniffer = malloc(sizeof *sniffer);
		pthread_create(sniffer, NULL, sniff, fd);
	}
	usleep(10);
}

int
main(void)
{
	int fd = 0;

	for (;;)
		next(&fd);
}
