/* As assembly-update-fixed.c, but one side counts by itself, and writes to what it has handed over. */
#include <pthread.h>
#include <stdlib.h>

static int users;
static int *handed;

static void
get(int *p)
{
	__asm__ __volatile__("lock; incl %0" : "+m"(*p) : : "memory");
}

static void *
swap(int **p, void *v)
{
	__asm__ __volatile__("xchgq %0, %1" : "=r"(v), "+m"(*p) : "0"(v) : "memory");
	return v;
}

static void *
worker(void *arg)
{
	int *p = malloc(sizeof *p);

	if (!p)
		return NULL;
	users++; // RACE
	*p = 1;
	swap(&handed, p);
	*p = 2; // RACE
	return NULL;
}

int
main(void)
{
	pthread_t t;
	int *p;

	pthread_create(&t, NULL, worker, NULL);
	get(&users);
	p = swap(&handed, NULL);
	if (p)
		(*p)++; // RACE
	pthread_join(t, NULL);
	return users; // NORACE
}
