/* Striped locks: the resize takes only the first stripe's lock. */
#include <pthread.h>
#include <stdlib.h>

#define S 8
struct node {
	struct node *next;
	int key, val;
};
static struct node **bucket;
static unsigned nb = 16;
static pthread_mutex_t stripe[S];

static void
put(int k, int v)
{
	pthread_mutex_t *m = &stripe[k % S];
	struct node *n = malloc(sizeof *n);
	n->key = k;
	n->val = v;
	pthread_mutex_lock(m);
	n->next = bucket[k % nb]; // RACE
	bucket[k % nb] = n;       // RACE
	pthread_mutex_unlock(m);
}

static void
resize(void)
{
	struct node **nw, **old;
	pthread_mutex_lock(&stripe[0]);
	nw = calloc(nb * 2, sizeof *nw);
	for (unsigned i = 0; i < nb; i++)
		nw[i] = bucket[i]; // RACE
	old = bucket;
	bucket = nw; // RACE
	nb *= 2;     // RACE
	free(old);
	pthread_mutex_unlock(&stripe[0]);
}

static void *
w(void *a)
{
	for (int i = 0; i < 100; i++)
		put(i, i);
	return a;
}

int
main(void)
{
	pthread_t a, b;
	for (int i = 0; i < S; i++)
		pthread_mutex_init(&stripe[i], NULL);
	bucket = calloc(nb, sizeof *bucket);
	pthread_create(&a, NULL, w, NULL);
	pthread_create(&b, NULL, w, NULL);
	resize();
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
