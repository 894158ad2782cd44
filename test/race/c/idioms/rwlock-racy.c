/* A route table under a read-write lock: one writer holds it only for reading. */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int metric[16];

static void *
reader(void *arg)
{
	int best = 1 << 30;

	pthread_rwlock_rdlock(&lock);
	for (int i = 0; i < 16; i++)
		if (metric[i] < best) // RACE
			best = metric[i]; // RACE
	pthread_rwlock_unlock(&lock);
	return best ? arg : NULL;
}

static void *
writer(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	metric[3] = 7; // RACE
	pthread_rwlock_unlock(&lock);
	return arg;
}

int
main(void)
{
	pthread_t r[2], w;

	pthread_create(&r[0], NULL, reader, NULL);
	pthread_create(&r[1], NULL, reader, NULL);
	pthread_create(&w, NULL, writer, NULL);
	pthread_join(r[0], NULL);
	pthread_join(r[1], NULL);
	pthread_join(w, NULL);
	return 0;
}
