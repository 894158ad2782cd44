/* Call after call, the shares of workers are filled one by one, but when the worker has been started. */
#include <pthread.h>
#include <stdlib.h>

struct share {
	int from, to, sum;
};

static void
fill(struct share *s, int i, int step)
{
	s->from = i * step; // RACE
	s->to = s->from + step; // RACE
}

static void *
work(void *arg)
{
	struct share *s = arg;

	for (int i = s->from; i < s->to; i++) // RACE
		s->sum += i;
	return NULL;
}

static int
add_up(int n, int step)
{
	pthread_t *t = calloc((size_t)n, sizeof *t);
	struct share *s = calloc((size_t)n, sizeof *s);
	int sum = 0;

	for (int i = 0; i < n; i++) {
		pthread_create(&t[i], NULL, work, &s[i]);
		fill(&s[i], i, step);
	}
	for (int i = 0; i < n; i++) {
		pthread_join(t[i], NULL);
		sum += s[i].sum;
	}
	free(t);
	free(s);
	return sum;
}

static void *
run(void *arg)
{
	int n = *(int *)arg, sum = 0;

	for (int k = 1; k < 10; k++)
		sum += add_up(n, k);
	return (void *)(long)sum;
}

int
main(int argc, char **argv)
{
	pthread_t t[2];

	(void)argv;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, run, &argc);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
