/* A byte through a pipe says that the result is there. */
#include <pthread.h>
#include <unistd.h>
static int p[2];
static long res;
static void *
w(void *u)
{
	char c = 'x';
	res = 10; // NORACE
	write(p[1], &c, 1);
	return 0;
}
int
main(void)
{
	pthread_t t;
	char c;
	pipe(p);
	pthread_create(&t, 0, w, 0);
	if (read(p[0], &c, 1) != 1)
		return 1;
	long r = res; // NORACE
	pthread_join(t, 0);
	return (int)r;
}
