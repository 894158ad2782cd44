/* Each thread gets a pointer to its slice and a length that is one too many. */
#include <pthread.h>

#define N 4
struct slice {
	int *at;
	int n;
};
static int data[N * 8 + 1];
static void *
work(void *arg)
{
	struct slice *s = arg;
	for (int i = 0; i < s->n; i++)
		s->at[i] = 1; // RACE
	return NULL;
}
int
main(void)
{
	pthread_t t[N];
	struct slice s[N];
	for (int i = 0; i < N; i++) {
		s[i].at = data + i * 8;
		s[i].n = 9;
		pthread_create(&t[i], NULL, work, &s[i]);
	}
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return 0;
}
