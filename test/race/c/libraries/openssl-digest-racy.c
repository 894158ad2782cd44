/* Digests: a context that two threads share, and one of each thread's own. */
#include <pthread.h>
#include <stddef.h>

void *EVP_MD_CTX_new(void);
const void *EVP_sha256(void);
int EVP_DigestInit_ex(void *, const void *, void *);
int EVP_DigestUpdate(void *, const void *, size_t);
int EVP_DigestFinal_ex(void *, unsigned char *, unsigned *);
void EVP_MD_CTX_free(void *);

static void *shared;
static char text[8];

static void *
work(void *arg)
{
	unsigned char sum[64];
	unsigned n = 0;
	void *own = EVP_MD_CTX_new();

	EVP_DigestInit_ex(own, EVP_sha256(), NULL);  // NORACE
	EVP_DigestUpdate(own, text, sizeof text);    // NORACE
	EVP_DigestFinal_ex(own, sum, &n);            // NORACE
	EVP_MD_CTX_free(own);                        // NORACE
	EVP_DigestUpdate(shared, text, sizeof text); // RACE
	return n ? arg : NULL;
}

int
main(void)
{
	pthread_t t[2];

	shared = EVP_MD_CTX_new();
	EVP_DigestInit_ex(shared, EVP_sha256(), NULL); // NORACE
	pthread_create(&t[0], NULL, work, NULL);
	pthread_create(&t[1], NULL, work, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
