/* What a function returns is not the handle of the one thread that it has made: it makes two, may give
 * back another's, or keeps the handle where the next call finds it. */
#include <pthread.h>
#include <stdlib.h>

static long sum, most, least;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
add(void *arg)
{
	pthread_mutex_lock(&m);
	sum++; // RACE
	pthread_mutex_unlock(&m);
	return arg;
}

static void *
compare(void *arg)
{
	pthread_mutex_lock(&m);
	most = most > 3 ? most : 3; // RACE
	pthread_mutex_unlock(&m);
	return arg;
}

static void *
lower(void *arg)
{
	pthread_mutex_lock(&m);
	least--; // RACE
	pthread_mutex_unlock(&m);
	return arg;
}

static pthread_t
spawn_two(void)
{
	pthread_t t;

	for (int i = 0; i < 2; i++)
		pthread_create(&t, NULL, add, NULL);
	return t;
}

static pthread_t
spawn_or(pthread_t other)
{
	pthread_t t;

	pthread_create(&t, NULL, compare, NULL);
	return rand() ? t : other;
}

static pthread_t
spawn_late(void)
{
	static pthread_t t;
	pthread_t last = t;

	pthread_create(&t, NULL, lower, NULL);
	return last;
}

int
main(void)
{
	pthread_t a[4], b[4], c[4];

	for (int i = 0; i < 4; i++)
		a[i] = spawn_two();
	for (int i = 0; i < 4; i++)
		pthread_join(a[i], NULL);
	sum = 0; // RACE
	for (int i = 0; i < 4; i++)
		b[i] = spawn_or(pthread_self());
	for (int i = 0; i < 4; i++)
		pthread_join(b[i], NULL);
	most = 0; // RACE
	for (int i = 0; i < 4; i++)
		c[i] = spawn_late();
	for (int i = 0; i < 4; i++)
		pthread_join(c[i], NULL);
	least = 0; // RACE
	return 0;
}
