/* A message is filled in, pushed, and then only the taker's. */
#include <pthread.h>
#include <stdlib.h>

struct msg {
	int value;
	struct msg *next;
};

static struct msg *head;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int
push(struct msg *x)
{
	pthread_mutex_lock(&m);
	x->next = head;
	head = x;
	pthread_mutex_unlock(&m);
	return 0;
}
static struct msg *
pop(void)
{
	struct msg *x;

	pthread_mutex_lock(&m);
	x = head;
	if (x)
		head = x->next;
	pthread_mutex_unlock(&m);
	return x;
}
static void *
take(void *arg)
{
	long sum = 0;

	for (int i = 0; i < 10; i++) {
		struct msg *x = pop();

		if (x) {
			sum += x->value; // NORACE-LIKELY
			free(x);	 // NORACE-LIKELY
		}
	}
	return (void *)sum;
}
int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, take, NULL);
	for (int i = 0; i < 10; i++) {
		struct msg *x = malloc(sizeof *x);

		x->value = i; // NORACE
		push(x);
	}
	pthread_join(t, NULL);
	return 0;
}
