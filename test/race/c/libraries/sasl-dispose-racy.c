/* A connection that SASL disposes of is one that both threads use. */
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

static Conn shared = {on_read, 0};

static void *
work(void *arg)
{
	sasl_dispose(&shared.sasl); // RACE
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
