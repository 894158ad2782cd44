/* Shares with one row too many, in a loop with two conditions. */
#include <pthread.h>
#define N 16
#define T 4
static double out[N];
struct part {
	int from, to;
};
static void *
fill(void *arg)
{
	struct part *p = arg;
	int to = p->to + 1;
	for (int i = p->from; i < to && i < N; i++)
		out[i] = i; // RACE
	return NULL;
}
int
main(void)
{
	pthread_t t[T];
	struct part p[T];
	for (int i = 0; i < T; i++) {
		p[i].from = i * N / T;
		p[i].to = (i + 1) * N / T;
		pthread_create(&t[i], NULL, fill, &p[i]);
	}
	for (int i = 0; i < T; i++)
		pthread_join(t[i], NULL);
	return out[1] > 3;
}
