/* A shared string with a plain reference count that is tested before it is copied. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct str {
	int refs;
	char s[32];
};

static struct str *
own(struct str *p)
{
	struct str *n;
	if (p->refs == 1) // RACE
		return p;
	p->refs--; // RACE
	n = malloc(sizeof *n);
	memcpy(n, p, sizeof *n); // RACE
	n->refs = 1;             // NORACE
	return n;
}

static void *
w(void *a)
{
	struct str *s = own(a);
	s->s[0] = 'x'; // RACE
	return s;
}

int
main(void)
{
	pthread_t x, y;
	struct str *s = calloc(1, sizeof *s);
	s->refs = 2; // NORACE
	pthread_create(&x, NULL, w, s);
	pthread_create(&y, NULL, w, s);
	pthread_join(x, NULL);
	pthread_join(y, NULL);
	return 0;
}
