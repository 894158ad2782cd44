/* Three threads that do not wait for each other. */
#include <pthread.h>

typedef struct {
	pthread_mutex_t m;
	pthread_cond_t c;
	int count, generation, n;
} Barrier;
Barrier b;
int a[3], sum[3];
void
barrier_init(Barrier *b, int n)
{
	pthread_mutex_init(&b->m, 0);
	pthread_cond_init(&b->c, 0);
	b->count = 0;
	b->generation = 0;
	b->n = n;
}
void
barrier_wait(Barrier *b)
{
	pthread_mutex_lock(&b->m);
	int g = b->generation;
	if (++b->count == b->n) {
		b->count = 0;
		b->generation++;
		pthread_cond_broadcast(&b->c);
	} else
		while (g == b->generation)
			pthread_cond_wait(&b->c, &b->m);
	pthread_mutex_unlock(&b->m);
}
void *
w(void *p)
{
	int id = (int)(long)p;
	a[id] = id * 3;               // RACE
	sum[id] = a[0] + a[1] + a[2]; // RACE
	return 0;
}
int
main(void)
{
	pthread_t t[3];
	barrier_init(&b, 3);
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], 0, w, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	return sum[0];
}
