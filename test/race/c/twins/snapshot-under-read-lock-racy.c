/* The snapshot is taken under the lock; but the name is compared in the live struct. */
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
	memcpy(&live, &c, sizeof c); // RACE
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
	return (void *)(long)strcmp(live.name, c.name); // RACE
}

int
main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, w, NULL);
	pthread_create(&t[1], NULL, r, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
