/* A connection that SASL disposes of, through a pointer into its owner: the owner's functions are not called by that. */
#include <pthread.h>
#include <stdlib.h>

typedef struct sasl_conn sasl_conn_t;
int sasl_server_new(const char *, const char *, const char *, const char *, const char *, const void *,
		    unsigned, sasl_conn_t **);
void sasl_dispose(sasl_conn_t **);

typedef struct Conn {
	void (*read)(struct Conn *);
	sasl_conn_t *sasl;
} Conn;

static int hits;

static void
on_read(Conn *c)
{
	hits++; // NORACE
}

static void *
work(void *arg)
{
	Conn *c = calloc(1, sizeof *c);

	if (!c)
		return NULL;
	c->read = on_read;
	if (sasl_server_new("x", 0, 0, 0, 0, 0, 0, &c->sasl) == 0)
		sasl_dispose(&c->sasl); // NORACE
	free(c);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	if (pthread_create(&a, NULL, work, NULL))
		return 1;
	if (pthread_create(&b, NULL, work, NULL))
		return 1;
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return hits;
}
