/* The table is freed by a function that is called when the workers were joined. */
#include <pthread.h>
#include <stdlib.h>

static int *table;
static pthread_t t[2];

static void *
work(void *arg)
{
	return table[0] ? arg : NULL; // NORACE
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
	free(table); // NORACE
}

int
main(void)
{
	table = calloc(4, sizeof *table);
	if (!table)
		return 1;
	pthread_create(&t[0], NULL, work, NULL);
	pthread_create(&t[1], NULL, work, NULL);
	join_all();
	close_all();
	return 0;
}
