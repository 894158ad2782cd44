/* A handle that is zero says nothing where others store zeros too: of a thread that is let go,
 * of the next one's before its turn, or of one that a thread takes out of the table itself. */
#include <pthread.h>
#include <stdio.h>

static long sum, rest, more, odd;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t let_go[4], ahead[5], taken[4], some[4];

static void *
add(void *arg)
{
	pthread_mutex_lock(&m);
	sum += (long)arg; // RACE
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *
take(void *arg)
{
	pthread_mutex_lock(&m);
	rest -= (long)arg; // RACE
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *
raise_more(void *arg)
{
	long i = (long)arg;

	pthread_detach(pthread_self());
	taken[i] = 0;
	pthread_mutex_lock(&m);
	more += i; // RACE
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *
count_odd(void *arg)
{
	pthread_mutex_lock(&m);
	odd += (long)arg; // RACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int
main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 4; i++)
		pthread_create(&let_go[i], NULL, add, (void *)(long)i);
	if (argc > 1) {
		pthread_detach(let_go[argc & 3]);
		let_go[argc & 3] = 0;
	}
	for (int i = 0; i < 4; i++)
		if (let_go[i])
			pthread_join(let_go[i], NULL);
	printf("%ld\n", sum); // RACE

	for (int i = 0; i < 4; i++)
		pthread_create(&ahead[i], NULL, take, (void *)(long)i);
	for (int i = 0; i < 4; i++)
		if (ahead[i]) {
			pthread_join(ahead[i], NULL);
			ahead[i + 1] = 0;
		}
	rest = 0; // RACE

	for (int i = 0; i < 4; i++)
		pthread_create(&taken[i], NULL, raise_more, (void *)(long)i);
	for (int i = 0; i < 4; i++)
		if (taken[i])
			pthread_join(taken[i], NULL);
	more = 0; // RACE

	for (int i = 0; i < 4; i++)
		pthread_create(&some[i], NULL, count_odd, (void *)(long)i);
	for (int i = 0; i < 4; i++)
		if (some[i] && argc > i)
			pthread_join(some[i], NULL);
	odd = 0; // RACE
	return 0;
}
