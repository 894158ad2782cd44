/* The event is written before the answer. */
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <stdint.h>
static int efd, answer;
static void *
w(void *u)
{
	uint64_t one = 1;
	write(efd, &one, sizeof one);
	answer = 42; // RACE
	return 0;
}
int
main(void)
{
	pthread_t t;
	uint64_t v;
	efd = eventfd(0, 0);
	pthread_create(&t, 0, w, 0);
	read(efd, &v, sizeof v);
	int r = answer; // RACE
	pthread_join(t, 0);
	return r;
}
