/* Tasks and requests are carved from one pool: the thread calls tasks' handlers, which no request's is. */
#include <pthread.h>
#include <stdlib.h>

struct log {
	long level;
	void *file;
};

struct request {
	void (*done)(struct request *r, struct log **where);
	void (*end)(struct request *r, long code);
	long id;
};

struct task {
	void (*handler)(void *data, struct log *log);
	void *data;
};

static int g;
static struct log out;
static struct task *volatile todo;

static void *
carve(size_t n)
{
	static char *at;
	char *p;

	if (!at)
		at = malloc(1 << 16);
	p = at;
	at += n;
	return p;
}

static void
read_block(void *data, struct log *log)
{
	(void)data;
	(void)log;
}

static void
forget(struct request *r, struct log **where)
{
	(void)r;
	(void)where;
	g++; // NORACE
}

static void
finish(struct request *r, long code)
{
	(void)r;
	(void)code;
	g--; // NORACE
}

static void *
work(void *arg)
{
	todo->handler(todo->data, &out);
	return arg;
}

int
main(void)
{
	pthread_t a, b;
	struct request *r = carve(sizeof *r);
	struct log *where = &out;

	r->done = forget;
	r->end = finish;
	todo = carve(sizeof *todo);
	todo->handler = read_block;
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	r->done(r, &where);
	r->end(r, 1);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
