/* errno is each thread's own. */
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

static int
try_read(int fd)
{
	char c;

	if (read(fd, &c, 1) == 1)
		return 0;
	errno = errno ? errno : EIO; // NORACE
	return errno == EINTR; // NORACE
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
