#include <pthread.h>

int counter;
void bump(void);

static void *
work(void *arg)
{
	bump();
	return arg;
}

int
main(void)
{
	pthread_t t;

	if (pthread_create(&t, 0, work, 0))
		return 1;
	bump();
	pthread_join(t, 0);
	return counter == 0;
}
