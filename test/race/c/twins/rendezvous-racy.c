/* One of the two goes on without waiting. */
#include <pthread.h>
#include <semaphore.h>

static sem_t sa, sb;
static int x, y, rx, ry;

static void *
a(void *p)
{
	x = 1; // NORACE
	sem_post(&sa);
	ry = y; // RACE
	return p;
}

static void *
b(void *p)
{
	y = 1; // RACE
	sem_post(&sb);
	sem_wait(&sa);
	rx = x; // NORACE
	return p;
}

int
main(void)
{
	pthread_t t, u;
	sem_init(&sa, 0, 0);
	sem_init(&sb, 0, 0);
	pthread_create(&t, NULL, a, NULL);
	pthread_create(&u, NULL, b, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return rx + ry;
}
