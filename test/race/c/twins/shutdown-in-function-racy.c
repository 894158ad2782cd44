/* The table is freed by a function that is called before the workers are joined. */
#include <pthread.h>
#include <stdlib.h>

static int *table;
static pthread_t t[2];

static void *
work(void *arg)
{
	return table[0] ? arg : NULL; // RACE
}

static void
join_all(void)
{
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
}

static void
close_all(void)
{
	free(table); // RACE
}

int
main(void)
{
	table = calloc(4, sizeof *table);
	if (!table)
		return 1;
	pthread_create(&t[0], NULL, work, NULL);
	pthread_create(&t[1], NULL, work, NULL);
	close_all();
	join_all();
	return 0;
}
