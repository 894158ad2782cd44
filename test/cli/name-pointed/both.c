#include <pthread.h>
#include <stdlib.h>

static struct node {
	char *name;
	struct node *next;
} first;
static int *table;

static void *
worker(void *arg)
{
	first.name[0]++;
	first.next->name[1]++;
	table[0]++;
	table = NULL;
	first.name = NULL;
	return arg;
}

int
main(void)
{
	pthread_t t[2];

	table = malloc(80);
	first.name = malloc(10);
	first.next = malloc(sizeof *first.next);
	first.next->name = malloc(10);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	return 0;
}
