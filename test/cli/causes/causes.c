#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct conn {
	pthread_mutex_t lock;
	int refs, bytes;
};

static struct conn pool = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
static pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static int table, split, plain, other;
static _Atomic int mixed;

static void
use(struct conn *c)
{
	pthread_mutex_lock(&c->lock);
	c->refs++;
	c->bytes++;
	pthread_mutex_unlock(&c->lock);
}

static void
drop(struct conn *conn)
{
	pthread_mutex_lock(&conn->lock);
	conn->refs--;
	conn->bytes--;
	pthread_mutex_unlock(&conn->lock);
}

static int
peek(struct conn *c)
{
	return c->refs + c->bytes;
}

static void *
worker(void *arg)
{
	int *cell = arg;

	use(&pool);
	drop(&pool);
	pthread_rwlock_rdlock(&table_lock);
	table++;
	pthread_rwlock_unlock(&table_lock);
	pthread_mutex_lock(&one);
	split++;
	pthread_mutex_unlock(&one);
	plain = 1;
	other = 1;
	*(int *)&mixed = 2;
	free(cell);
	return NULL;
}

int
main(void)
{
	pthread_t t;
	int *cell = malloc(sizeof *cell), sum;

	if (!cell)
		return 1;
	pthread_create(&t, NULL, worker, cell);
	sum = peek(&pool);
	pthread_rwlock_rdlock(&table_lock);
	sum += table;
	pthread_rwlock_unlock(&table_lock);
	pthread_mutex_lock(&two);
	sum += split;
	pthread_mutex_unlock(&two);
	sum += plain + other + mixed + *cell;
	pthread_join(t, NULL);
	return sum;
}
