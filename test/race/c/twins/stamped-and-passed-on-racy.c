/* A stage of a pipeline stamps what it has passed on. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
	int value, stage;
};
struct queue {
	pthread_mutex_t m;
	pthread_cond_t more, less;
	struct item *at[4];
	int n, in, out;
};
static struct queue first, second;

static void
make(struct queue *q)
{
	memset(q, 0, sizeof *q);
	pthread_mutex_init(&q->m, NULL);
	pthread_cond_init(&q->more, NULL);
	pthread_cond_init(&q->less, NULL);
}

static void
put(struct queue *q, struct item *i)
{
	pthread_mutex_lock(&q->m);
	while (q->n == 4)
		pthread_cond_wait(&q->less, &q->m);
	q->at[q->in] = i;
	q->in = (q->in + 1) % 4;
	q->n++; // NORACE
	pthread_cond_signal(&q->more);
	pthread_mutex_unlock(&q->m);
}

static struct item *
get(struct queue *q)
{
	struct item *i;

	pthread_mutex_lock(&q->m);
	while (q->n == 0)
		pthread_cond_wait(&q->more, &q->m);
	i = q->at[q->out];
	q->out = (q->out + 1) % 4;
	q->n--; // NORACE
	pthread_cond_signal(&q->less);
	pthread_mutex_unlock(&q->m);
	return i;
}

static void *
doubles(void *arg)
{
	struct item *i;

	while ((i = get(&first))) {
		i->value *= 2; // NORACE-LIKELY
		put(&second, i);
		i->stage = 2; // RACE
	}
	put(&second, NULL);
	return arg;
}

static void *
prints(void *arg)
{
	struct item *i;

	while ((i = get(&second))) {
		printf("%d %d\n", i->value,
		       i->stage); // RACE
		free(i);
	}
	return arg;
}

int
main(void)
{
	pthread_t t, u;

	make(&first);
	make(&second);
	pthread_create(&t, NULL, doubles, NULL);
	pthread_create(&u, NULL, prints, NULL);
	for (int k = 0; k < 10; k++) {
		struct item *i = malloc(sizeof *i);

		i->value = k;
		i->stage = 1;
		put(&first, i);
	}
	put(&first, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
