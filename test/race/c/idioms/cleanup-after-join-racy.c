/* The table is freed while a worker may still look something up in it. */
#include <pthread.h>
#include <stdlib.h>

static int *table;

static void *
look_up(void *arg)
{
	return table[5] ? arg : NULL; // RACE
}

int
main(void)
{
	pthread_t a, b;

	table = calloc(64, sizeof *table);
	if (!table)
		return 1;
	pthread_create(&a, NULL, look_up, NULL);
	pthread_create(&b, NULL, look_up, NULL);
	pthread_join(a, NULL);
	free(table); // RACE
	pthread_join(b, NULL);
	return 0;
}
