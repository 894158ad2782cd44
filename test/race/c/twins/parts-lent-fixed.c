/* Threads that split their work: each lends its parts to two others and waits for both. */
#include <pthread.h>
struct part {
	int n, sum;
};
static void *
add(void *arg)
{
	struct part *p = arg;
	if (p->n < 2) {
		p->sum = p->n; // NORACE
		return NULL;
	}
	struct part left = {p->n / 2, 0}, right = {p->n - p->n / 2, 0};
	pthread_t x, y;
	pthread_create(&x, NULL, add, &left);
	pthread_create(&y, NULL, add, &right);
	pthread_join(x, NULL);
	pthread_join(y, NULL);
	p->sum = left.sum + right.sum;
	return NULL;
}
int
main(void)
{
	struct part all = {9, 0};
	add(&all);
	return all.sum;
}
