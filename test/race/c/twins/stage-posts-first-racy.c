/* A stage of a pipeline says that its channel is full before it fills it. */
#include <pthread.h>
#include <semaphore.h>
struct chan {
	sem_t full, empty;
	int v;
};
static struct chan c1, c2;
static void
snd(struct chan *c, int v)
{
	sem_wait(&c->empty);
	sem_post(&c->full);
	c->v = v; // RACE
}
static int
rcv(struct chan *c)
{
	sem_wait(&c->full);
	int v = c->v; // RACE
	sem_post(&c->empty);
	return v;
}
static void *
s1(void *u)
{
	for (int i = 0; i < 10; i++)
		snd(&c1, i);
	return 0;
}
static void *
s2(void *u)
{
	for (int i = 0; i < 10; i++)
		snd(&c2, rcv(&c1) * 2);
	return 0;
}
static void *
s3(void *u)
{
	int s = 0;
	for (int i = 0; i < 10; i++)
		s += rcv(&c2);
	return (void *)(long)s;
}
static void
init(struct chan *c)
{
	sem_init(&c->full, 0, 0);
	sem_init(&c->empty, 0, 1);
}
int
main(void)
{
	pthread_t t[3];
	init(&c1);
	init(&c2);
	pthread_create(&t[0], 0, s1, 0);
	pthread_create(&t[1], 0, s2, 0);
	pthread_create(&t[2], 0, s3, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	return 0;
}
