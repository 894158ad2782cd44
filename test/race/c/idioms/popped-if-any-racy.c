/* Who pops an element, if there is one, has it for itself. But it was left in the list. */
#include <pthread.h>
#include <stdlib.h>

struct element {
	struct element *next;
	int value;
};

static struct element *top;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void
push(int value)
{
	struct element *e = malloc(sizeof *e);

	e->value = value;
	pthread_mutex_lock(&m);
	e->next = top;
	top = e;
	pthread_mutex_unlock(&m);
}

static int
pop(void)
{
	struct element *e;
	int value;

	pthread_mutex_lock(&m);
	e = top;
	pthread_mutex_unlock(&m);
	if (!e)
		return 0;
	value = e->value++; // RACE
	return value;
}

static void *
worker(void *unused)
{
	for (int i = 0; i < 10; i++) {
		push(i);
		pop();
	}
	return unused;
}

int
main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
