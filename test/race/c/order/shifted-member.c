/* Two threads work on different members of a struct, as one of them sees it: its pointer is to the middle
 * of the struct, so that its first member is the other's second. No two objects of a type overlap so in C. */
#include <pthread.h>
#include <stdlib.h>

struct pair {
	long first, second;
};

static struct pair *both;

static void *write_second(void *arg)
{
	both->second = 1; // RACE possible
	return arg;
}

static void *write_first(void *arg)
{
	struct pair *p = (struct pair *)((char *)both + sizeof(long));

	p->first = 2; // RACE possible
	return arg;
}

int main(void)
{
	pthread_t t, u;

	both = calloc(2, sizeof *both);
	pthread_create(&t, NULL, write_second, NULL);
	pthread_create(&u, NULL, write_first, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return (int)both->second;
}
