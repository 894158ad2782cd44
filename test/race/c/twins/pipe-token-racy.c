/* The result is read while the thread may still compute it. */
#include <pthread.h>
#include <unistd.h>
static int p[2];
static long res;
static void *
w(void *u)
{
	char c = 'x';
	res = 10; // RACE
	return 0;
}
int
main(void)
{
	pthread_t t;
	char c;
	pipe(p);
	pthread_create(&t, 0, w, 0);
	long r = res; // RACE
	pthread_join(t, 0);
	return (int)r;
}
