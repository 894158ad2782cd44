/* A library that nobody knows calls back what it was given; another one, which a thread calls
 * meanwhile with other things, hardly does. */
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
	events++; // NORACE-LIKELY
}

static void *
work(void *arg)
{
	sum = digest(text, sizeof text);
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
