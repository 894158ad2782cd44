/* A library's own error number is a global, unlike errno. */
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

static int last_error;

static int
try_read(int fd)
{
	char c;

	if (read(fd, &c, 1) == 1)
		return 0;
	last_error = errno; // RACE
	return last_error == EINTR; // RACE
}

static void *
reader(void *arg)
{
	while (try_read(0))
		continue;
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, reader, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
