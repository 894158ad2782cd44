/* What a thread reads only in the report of an error, which it leaves by a long jump. */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

static long served;

struct state {
	jmp_buf out;
	int kind;
};

static void
fail(struct state *s, const char *why)
{
	printf("%s after %ld\n", why, served); // NORACE-LIKELY
	longjmp(s->out, 1);
}

static int
check(struct state *s)
{
	if (s->kind > 9)
		fail(s, "large kind");
	if (s->kind > 3)
		fail(s, "unknown kind");
	if (s->kind == 2)
		fail(s, "no such kind any more");
	if (s->kind < 0)
		fail(s, "negative kind");
	return s->kind;
}

static void *
work(void *arg)
{
	struct state s = {.kind = *(int *)arg};

	if (setjmp(s.out) == 0)
		check(&s);
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t t;
	int kind = argc;
	(void)argv;

	pthread_create(&t, NULL, work, &kind);
	for (int i = 0; i < 100; i++)
		served++; // NORACE-LIKELY
	pthread_join(t, NULL);
	return 0;
}
