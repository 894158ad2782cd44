/* The singleton of the verification suites: pointer set by one, written through by several. */
#include <pthread.h>
#include <stdlib.h>

char *v;

void *
thread1(void *arg)
{
	v = malloc(sizeof(char)); // NORACE
	return 0;
}

void *
thread2(void *arg)
{
	v[0] = 'X'; // RACE
	return 0;
}

void *
thread3(void *arg)
{
	v[0] = 'Y'; // RACE
	return 0;
}

void *
thread0(void *arg)
{
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, thread1, 0);
	pthread_join(t1, 0);
	pthread_create(&t2, 0, thread2, 0);
	pthread_create(&t3, 0, thread3, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	return 0;
}

int
main(void)
{
	pthread_t t;
	pthread_create(&t, 0, thread0, 0);
	pthread_join(t, 0);
	return v[0] == 'X'; // NORACE
}
