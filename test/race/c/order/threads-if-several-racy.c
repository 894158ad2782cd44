/* As threads-if-several-fixed.c, but each test may come out another way than that of the fork. */
#include <pthread.h>
#include <stdlib.h>

static int threads;
static int other_bound, changed, of_round, left_before, option_changed, by_another, in_recursion, moved, shorter;

#define WORKER(name, what) \
	static void *name(void *a) \
	{ \
		(void)a; \
		return (void *)(long)what; \
	}

WORKER(w1, other_bound)
WORKER(w2, changed)
WORKER(w3, of_round)
WORKER(w4, left_before)
WORKER(w5, option_changed)
WORKER(w6, by_another)
WORKER(w7, in_recursion)
WORKER(w8, moved)
WORKER(w9, shorter)

static void with_other_bound(int n)
{
	pthread_t h[8];

	for (int i = 0; i < n; i++)
		if (n > 1)
			pthread_create(&h[i], NULL, w1, NULL);
	if (n > 2)
		for (int i = 0; i < n; i++)
			pthread_join(h[i], NULL);
	other_bound = 1; // RACE
}

static void with_changed(int n, int k)
{
	pthread_t h[8];

	for (int i = 0; i < n; i++)
		if (n > 1)
			pthread_create(&h[i], NULL, w2, NULL);
	if (k)
		n = 1;
	if (n > 1)
		for (int i = 0; i < n; i++)
			pthread_join(h[i], NULL);
	changed = 1; // RACE
}

/* The test is of another round. */
static void by_rounds(int n)
{
	pthread_t h[8];

	for (int k = 0; k < n; k++) {
		int apart = k % 2;
		if (apart)
			for (int i = 0; i < 8; i++)
				pthread_create(&h[i], NULL, w3, NULL);
		if (k == 3)
			for (int i = 0; i < 8; i++)
				pthread_join(h[i], NULL);
		if (!apart)
			of_round = 1; // RACE
	}
}

/* An earlier call left without waiting. */
static void leaves(int n, int quick)
{
	static pthread_t h[8];

	for (int i = 0; i < n; i++)
		if (n > 1)
			pthread_create(&h[i], NULL, w4, NULL);
	if (quick)
		return;
	if (n > 1)
		for (int i = 0; i < n; i++)
			pthread_join(h[i], NULL);
	left_before = 1; // RACE
}

static void change(int n)
{
	threads = n;
}

static void option(int k)
{
	pthread_t *h = calloc(threads, sizeof *h);

	if (threads > 1)
		for (int i = 0; i < threads; i++)
			pthread_create(&h[i], NULL, w5, NULL);
	change(k);
	if (threads > 1)
		for (int i = 0; i < threads; i++)
			pthread_join(h[i], NULL);
	option_changed = 1; // RACE
}

static int limit;

static void *changes(void *a)
{
	limit = *(int *)a; // RACE
	return NULL;
}

static void while_another_changes(void)
{
	pthread_t *h = calloc(8, sizeof *h);

	if (limit > 1) // RACE
		for (int i = 0; i < 8; i++)
			pthread_create(&h[i], NULL, w6, NULL);
	if (limit > 1) // RACE
		for (int i = 0; i < 8; i++)
			pthread_join(h[i], NULL);
	by_another = 1; // RACE
}

/* The call below has started one, and left it. */
static void recursive(int n, int depth)
{
	static pthread_t h;

	if (n > 1)
		pthread_create(&h, NULL, w7, NULL);
	if (depth)
		recursive(2, depth - 1);
	if (n > 1)
		pthread_join(h, NULL);
	in_recursion = 1; // RACE
}

/* What is tested is another object's in each round. */
struct mode {
	int on;
	struct mode *next;
};

static void along(struct mode *m)
{
	pthread_t h[8];

	for (; m; m = m->next) {
		for (int i = 0; i < 8; i++)
			if (m->on)
				pthread_create(&h[i], NULL, w8, NULL);
		if (m->next && m->next->on)
			for (int i = 0; i < 8; i++)
				pthread_join(h[i], NULL);
		if (!m->on)
			moved = 1; // RACE
	}
}

static void with_fewer(int n)
{
	pthread_t h[8];

	if (n > 1)
		for (int i = 0; i < n; i++)
			pthread_create(&h[i], NULL, w9, NULL);
	if (n > 1)
		for (int i = 0; i < n - 1; i++)
			pthread_join(h[i], NULL);
	shorter = 1; // RACE
}

static int of_another_call;
WORKER(w10, of_another_call)

/* The call within starts more than are waited for. */
static void within(int n, int start, int quick)
{
	static pthread_t h[64];

	if (start)
		for (int i = 0; i < n; i++)
			pthread_create(&h[i], NULL, w10, NULL);
	if (quick)
		return;
	within(n + 8, 1, 1);
	if (n > 1)
		for (int i = 0; i < n; i++)
			pthread_join(h[i], NULL);
	of_another_call = 1; // RACE
}

int main(int argc, char **argv)
{
	struct mode second = {atoi(argv[3]), NULL}, first = {atoi(argv[2]), &second};
	pthread_t t;

	threads = limit = atoi(argv[1]);
	with_other_bound(argc);
	with_changed(argc, atoi(argv[2]));
	by_rounds(argc);
	leaves(argc, atoi(argv[2]));
	leaves(argc - 2, 0);
	option(argc);
	pthread_create(&t, NULL, changes, &argc);
	while_another_changes();
	pthread_join(t, NULL);
	recursive(argc, 2);
	recursive(1, 1);
	along(&first);
	with_fewer(argc);
	within(argc, 0, 0);
	return 0;
}
