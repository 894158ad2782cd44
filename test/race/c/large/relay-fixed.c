/* Threads that are started by one wrapper, through a start routine that calls what it was given,
 * with memory from a hook: what is joined before the next is started does not meet it. */
#include <pthread.h>
#include <stdlib.h>

#define TEN(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7) X(n##8) X(n##9)
#define HUNDRED(X, n)                                                                              \
	TEN(X, n##0) TEN(X, n##1) TEN(X, n##2) TEN(X, n##3) TEN(X, n##4)                           \
	TEN(X, n##5) TEN(X, n##6) TEN(X, n##7) TEN(X, n##8) TEN(X, n##9)
#define ALL(X) HUNDRED(X, 1) HUNDRED(X, 2) HUNDRED(X, 3) HUNDRED(X, 4)

/* What makes the program large. */
#define PAD(n)                                                                                     \
	static int pad##n(int x)                                                                   \
	{                                                                                          \
		return x * 3 + n > 7 ? x - n : x + n;                                              \
	}
ALL(PAD)
#define CALL(n) x = pad##n(x);

struct job {
	void (*function)(int *);
	int *argument;
	pthread_t thread;
};

static void *(*get)(size_t) = malloc;
static void (*give)(void *) = free;
static int total, count;

static void
finish(struct job *j)
{
	j->function = NULL; // NORACE
	j->argument = NULL; // NORACE
}

static void *
run(void *argument)
{
	struct job *j = argument;

	j->function(j->argument);
	finish(j);
	return NULL;
}

/* Starts a thread that calls the function: all threads of the program. */
static struct job *
launch(void (*function)(int *), int *argument)
{
	struct job *j = get(sizeof *j);

	if (j == NULL)
		abort();
	j->function = function;
	j->argument = argument;
	if (pthread_create(&j->thread, NULL, run, j))
		abort();
	return j;
}

static void
wait(struct job *j)
{
	if (pthread_join(j->thread, NULL))
		abort();
	give(j);
}

static void
add(int *to)
{
	*to += 1; // NORACE
}

static void
set(int *to)
{
	*to = 7; // NORACE
}

static void
clear(int *to)
{
	*to = 0; // NORACE
}

int
main(int argc, char **argv)
{
	struct job *a, *b;
	int x = argc;

	(void)argv;
	ALL(CALL)
	a = launch(add, &total);
	b = launch(clear, &count);
	wait(a);
	a = launch(set, &total);
	wait(b);
	wait(a);
	return total + count + x;
}
