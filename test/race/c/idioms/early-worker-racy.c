/* A worker is started first, and gets a job before the tables that it uses are set up. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct job {
	struct job *next;
	int key;
};
struct pool {
	pthread_mutex_t lock;
	pthread_cond_t more;
	struct job *head;
};

static struct pool *pool;
static int *table, size;
static long hits;

static void put(struct pool *p, int key)
{
	struct job *j = calloc(1, sizeof *j);

	if (!j)
		exit(1);
	j->key = key;
	pthread_mutex_lock(&p->lock);
	j->next = p->head;
	p->head = j;
	pthread_cond_signal(&p->more);
	pthread_mutex_unlock(&p->lock);
}

static void work(int key)
{
	if (table && key < size) // RACE
		hits += table[key];
}

static void *worker(void *arg)
{
	struct pool *p = arg;

	for (;;) {
		struct job *j;
		pthread_mutex_lock(&p->lock);
		while (!p->head)
			pthread_cond_wait(&p->more, &p->lock);
		j = p->head;
		p->head = j->next;
		pthread_mutex_unlock(&p->lock);
		work(j->key);
		free(j);
	}
}

static void set_up(int n)
{
	size = n;
	table = calloc((size_t)n, sizeof *table); // RACE
	for (int i = 0; table && i < n; i++)
		table[i] = rand(); // RACE
}

int main(int argc, char **argv)
{
	pthread_t t;
	int key;

	(void)argv;
	pool = calloc(1, sizeof *pool);
	if (!pool)
		return 1;
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->more, NULL);
	pthread_create(&t, NULL, worker, pool);
	put(pool, 0);
	set_up(argc * 100);
	while (read(0, &key, sizeof key) == sizeof key)
		put(pool, key);
	return 0;
}
