/* Handles are moved within the array that is joined, so that one thread is waited for twice or not at all. */
#include <pthread.h>
#include <string.h>

#define LOCK pthread_mutex_lock(&lock)
#define UNLOCK pthread_mutex_unlock(&lock)

enum { N = 6 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int copied, shifted, block, own, kept;
static pthread_t second[N];

static void *add_copied(void *x) { LOCK; copied = 1; UNLOCK; return x; } // RACE
static void *add_shifted(void *x) { LOCK; shifted = 1; UNLOCK; return x; } // RACE
static void *add_block(void *x) { LOCK; block = 1; UNLOCK; return x; } // RACE
static void *add_own(void *x) { LOCK; own = 1; UNLOCK; return x; } // RACE
static void *add_kept(void *x) { LOCK; kept = 1; UNLOCK; return x; } // RACE

static void
start(pthread_t *h, void *(*f)(void *))
{
	for (int i = 0; i < N; i++)
		pthread_create(&h[i], NULL, f, NULL);
}

static void
stop(pthread_t *h)
{
	for (int i = 0; i < N; i++)
		pthread_join(h[i], NULL);
}

/* The last one takes the place of the first. */
static void
leave_one(void)
{
	pthread_t h[N];

	for (int i = 0; i < N; i++)
		pthread_create(&h[i], NULL, add_copied, NULL);
	pthread_detach(h[0]);
	h[0] = h[N - 1];
	for (int i = 0; i < N; i++)
		pthread_join(h[i], NULL);
	copied = 2; // RACE
}

static void
shift(void)
{
	pthread_t h[N];

	for (int i = 0; i < N; i++)
		pthread_create(&h[i], NULL, add_shifted, NULL);
	for (int i = 0; i < N - 1; i++)
		h[i] = h[i + 1];
	for (int i = 0; i < N; i++)
		pthread_join(h[i], NULL);
	shifted = 2; // RACE
}

static void
copy(void)
{
	pthread_t h[N];

	for (int i = 0; i < N; i++)
		pthread_create(&h[i], NULL, add_block, NULL);
	memcpy(&h[1], &h[3], sizeof h[1]);
	for (int i = 0; i < N; i++)
		pthread_join(h[i], NULL);
	block = 2; // RACE
}

/* To join oneself fails at once. */
static void
join_self(void)
{
	pthread_t h[N];

	for (int i = 0; i < N; i++)
		pthread_create(&h[i], NULL, add_own, NULL);
	h[2] = pthread_self();
	for (int i = 0; i < N; i++)
		pthread_join(h[i], NULL);
	own = 2; // RACE
}

int
main(void)
{
	leave_one();
	shift();
	copy();
	join_self();
	start(second, add_kept);
	second[4] = second[5];
	stop(second);
	kept = 2; // RACE
	return 0;
}
