/* A thread is started for one half of each part, and waited for before the halves are merged. */
#include <pthread.h>
#include <stdlib.h>

struct part {
	int from, to;
};

static int a[1024], merged[1024];

static void
merge(int from, int mid, int to)
{
	int i = from, j = mid;

	for (int k = from; k < to; k++)
		merged[k] = j == to || (i < mid && a[i] < a[j]) ? a[i++] : a[j++]; // NORACE-LIKELY
	for (int k = from; k < to; k++)
		a[k] = merged[k]; // NORACE-LIKELY
}

static void *
sort(void *arg)
{
	struct part *p = arg;
	int mid = (p->from + p->to) / 2;
	struct part low = {p->from, mid}, high = {mid, p->to};
	pthread_t t;

	if (p->to - p->from < 2)
		return NULL;
	pthread_create(&t, NULL, sort, &low);
	sort(&high);
	pthread_join(t, NULL);
	merge(p->from, mid, p->to);
	return NULL;
}

int
main(void)
{
	struct part all = {0, 1024};

	for (int i = 0; i < 1024; i++)
		a[i] = rand();
	sort(&all);
	return a[0];
}
