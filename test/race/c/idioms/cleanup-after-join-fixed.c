/* The table is freed when the workers have been joined. */
#include <pthread.h>
#include <stdlib.h>

static int *table;

static void *
look_up(void *arg)
{
	return table[5] ? arg : NULL; // NORACE
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
	pthread_join(b, NULL);
	free(table); // NORACE
	return 0;
}
