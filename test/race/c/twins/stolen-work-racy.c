/* A work-stealing deque where the owner pops from the bottom without the lock. */
#include <pthread.h>

struct deque {
	pthread_mutex_t m;
	int top, bottom;
	int task[64];
};
static struct deque d[2] = {{.m = PTHREAD_MUTEX_INITIALIZER}, {.m = PTHREAD_MUTEX_INITIALIZER}};

static int
pop(struct deque *q)
{
	if (q->bottom == q->top) // RACE
		return -1;
	return q->task[--q->bottom]; // RACE
}

static int
steal(struct deque *q)
{
	int v = -1;
	pthread_mutex_lock(&q->m);
	if (q->top < q->bottom)        // RACE
		v = q->task[q->top++]; // RACE
	pthread_mutex_unlock(&q->m);
	return v;
}

static void *
w(void *arg)
{
	long i = (long)arg;
	int v;
	while ((v = pop(&d[i])) >= 0 || (v = steal(&d[1 - i])) >= 0)
		;
	return NULL;
}

int
main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		for (int k = 0; k < 8; k++)
			d[i].task[d[i].bottom++] = k; // NORACE
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, w, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
