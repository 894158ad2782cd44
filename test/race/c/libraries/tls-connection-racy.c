/* A TLS connection that two threads write on at once, with no lock: connections of
 * OpenSSL are for one thread at a time.  What a context calls back runs in both. */
#include <pthread.h>

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;
SSL_CTX *SSL_CTX_new(const void *method);
const void *TLS_client_method(void);
void SSL_CTX_set_info_callback(SSL_CTX *c, void (*f)(const SSL *, int, int));
SSL *SSL_new(SSL_CTX *c);
int SSL_connect(SSL *s);
int SSL_write(SSL *s, const void *p, int n);
void SSL_free(SSL *s);

static SSL *line;
static long told;

static void
tell(const SSL *s, int where, int value)
{
	told++; // RACE
}

static void *
talk(void *arg)
{
	SSL_write(line, "hello", 5); // RACE
	return NULL;
}

int
main(void)
{
	SSL_CTX *c = SSL_CTX_new(TLS_client_method());
	pthread_t a, b;

	SSL_CTX_set_info_callback(c, tell);
	line = SSL_new(c);
	SSL_connect(line); // NORACE
	pthread_create(&a, NULL, talk, NULL);
	pthread_create(&b, NULL, talk, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	SSL_free(line); // NORACE
	return 0;
}
