/* Handles are moved before the threads are started, behind their joins, or to another place. */
#include <pthread.h>
#include <string.h>

#define LOCK pthread_mutex_lock(&lock)
#define UNLOCK pthread_mutex_unlock(&lock)

enum { N = 6 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int before, behind, away, filled;
static pthread_t second[N], first_of_all;

static void *add_before(void *x) { LOCK; before = 1; UNLOCK; return x; } // NORACE
static void *add_behind(void *x) { LOCK; behind = 1; UNLOCK; return x; } // NORACE
static void *add_away(void *x) { LOCK; away = 1; UNLOCK; return x; } // NORACE
static void *add_filled(void *x) { LOCK; filled = 1; UNLOCK; return x; } // NORACE

/* What lies there from the round before is overwritten. */
static void
move_before(void)
{
	pthread_t h[N];

	memset(h, 0, sizeof h);
	for (int k = 0; k < 2; k++) {
		h[2] = h[3];
		for (int i = 0; i < N; i++)
			pthread_create(&h[i], NULL, add_before, NULL);
		for (int i = 0; i < N; i++)
			pthread_join(h[i], NULL);
		before = 2; // NORACE
	}
}

static void
move_behind(void)
{
	pthread_t h[N];

	for (int i = 0; i < N; i++)
		pthread_create(&h[i], NULL, add_behind, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(h[i], NULL);
	behind = 2; // NORACE
	memmove(&h[0], &h[1], (N - 1) * sizeof h[0]);
	h[N - 1] = h[0];
}

static void
move_away(void)
{
	pthread_t h[N], copy[N];

	for (int i = 0; i < N; i++)
		pthread_create(&h[i], NULL, add_away, NULL);
	memcpy(copy, h, sizeof h);
	first_of_all = copy[0];
	for (int i = 0; i < N; i++)
		pthread_join(h[i], NULL);
	away = 2; // NORACE
}

static void
start(pthread_t *h)
{
	memset(h, 0, N * sizeof *h);
	for (int i = 0; i < N; i++)
		pthread_create(&h[i], NULL, add_filled, NULL);
}

static void
stop(pthread_t *h)
{
	for (int i = 0; i < N; i++)
		pthread_join(h[i], NULL);
	memset(h, 0, N * sizeof *h);
}

int
main(void)
{
	move_before();
	move_behind();
	move_away();
	start(second);
	stop(second);
	filled = 2; // NORACE
	return 0;
}
