/* A sum is made of two parts while one is still being computed. */
#include <pthread.h>
struct part {
	int n, sum;
};
static void *
add(void *arg)
{
	struct part *p = arg;
	if (p->n < 2) {
		p->sum = p->n; // RACE
		return NULL;
	}
	struct part left = {p->n / 2, 0}, right = {p->n - p->n / 2, 0};
	pthread_t x, y;
	pthread_create(&x, NULL, add, &left);
	pthread_create(&y, NULL, add, &right);
	pthread_join(x, NULL);
	p->sum = left.sum + right.sum; // RACE
	pthread_join(y, NULL);
	return NULL;
}
int
main(void)
{
	struct part all = {9, 0};
	add(&all);
	return all.sum;
}
