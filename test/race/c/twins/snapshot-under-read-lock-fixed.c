/* A snapshot of a struct by memcpy under the lock, used outside. */
#include <pthread.h>
#include <string.h>

struct conf {
	int a, b;
	char name[16];
};
static struct conf live;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *
w(void *a)
{
	struct conf c = {1, 2, "x"};
	pthread_rwlock_wrlock(&l);
	memcpy(&live, &c, sizeof c); // NORACE
	pthread_rwlock_unlock(&l);
	return a;
}

static void *
r(void *a)
{
	struct conf c;
	pthread_rwlock_rdlock(&l);
	memcpy(&c, &live, sizeof c); // NORACE
	pthread_rwlock_unlock(&l);
	return (void *)(long)(c.a + c.name[3]); // NORACE
}

int
main(void)
{
	pthread_t t[3];
	pthread_create(&t[0], NULL, w, NULL);
	pthread_create(&t[1], NULL, r, NULL);
	pthread_create(&t[2], NULL, r, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
