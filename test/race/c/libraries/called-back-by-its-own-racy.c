/* As called-back-by-its-own-fixed.c, but the thread runs the first library, too. */
#include <pthread.h>

struct loop;
struct loop *loop_new(void);
void loop_on_event(struct loop *l, void (*callback)(void *), void *cookie);
void loop_run(struct loop *l);
unsigned digest(const unsigned char *text, unsigned n);

static struct loop *loop;
static unsigned events, sum;
static unsigned char text[16];

static void
on_event(void *cookie)
{
	(void)cookie;
	events++; // RACE
}

static void *
work(void *arg)
{
	sum = digest(text, sizeof text);
	loop_run(loop);
	return arg;
}

int
main(void)
{
	pthread_t t;

	loop = loop_new();
	loop_on_event(loop, on_event, &events);
	pthread_create(&t, NULL, work, NULL);
	loop_run(loop);
	pthread_join(t, NULL);
	return 0;
}
