/* Inline assembly counts by locked instructions, and hands memory over by an exchange. */
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
	get(&users); // NORACE
	*p = 1; // NORACE-LIKELY
	swap(&handed, p);
	return NULL;
}

int
main(void)
{
	pthread_t t;
	int *p;

	pthread_create(&t, NULL, worker, NULL);
	get(&users); // NORACE
	p = swap(&handed, NULL);
	if (p)
		(*p)++; // NORACE-LIKELY
	pthread_join(t, NULL);
	return users; // NORACE
}
