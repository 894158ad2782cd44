/* A variable with more places than are told apart in memory without a type.  Its members still
 * are: main reads one without the lock. */
#include <pthread.h>

#define TEN(m) long m##0, m##1, m##2, m##3, m##4, m##5, m##6, m##7, m##8, m##9
#define SET_TEN(m)                                                                                 \
	state.m##0 = state.m##1 = state.m##2 = state.m##3 = state.m##4 = 1;                        \
	state.m##5 = state.m##6 = state.m##7 = state.m##8 = state.m##9 = 1
#define SET_ROW(n)                                                                                 \
	state.row[n] = state.row[n + 1] = state.row[n + 2] = state.row[n + 3] = 1;                 \
	state.row[n + 4] = state.row[n + 5] = state.row[n + 6] = state.row[n + 7] = 1

static struct state {
	TEN(a);
	TEN(b);
	TEN(c);
	TEN(d);
	TEN(e);
	TEN(f);
	TEN(g);
	TEN(h);
	TEN(i);
	TEN(j);
	TEN(k);
	TEN(l);
	TEN(m);
	int row[48];
	pthread_mutex_t lock;
	long hits;
	long of_worker, of_main;
} state;

static void
set_up(void)
{
	SET_TEN(a);
	SET_TEN(b);
	SET_TEN(c);
	SET_TEN(d);
	SET_TEN(e);
	SET_TEN(f);
	SET_TEN(g);
	SET_TEN(h);
	SET_TEN(i);
	SET_TEN(j);
	SET_TEN(k);
	SET_TEN(l);
	SET_TEN(m);
	SET_ROW(0);
	SET_ROW(8);
	SET_ROW(16);
	SET_ROW(24);
	SET_ROW(32);
	SET_ROW(40);
	pthread_mutex_init(&state.lock, NULL);
}

static void *
worker(void *arg)
{
	pthread_mutex_lock(&state.lock);
	state.hits++; // RACE
	pthread_mutex_unlock(&state.lock);
	state.of_worker++; // NORACE
	return arg;
}

int
main(void)
{
	pthread_t t;
	long seen;

	set_up();
	pthread_create(&t, NULL, worker, NULL);
	state.of_main++;   // NORACE
	seen = state.hits; // RACE
	return (int)seen;
}
